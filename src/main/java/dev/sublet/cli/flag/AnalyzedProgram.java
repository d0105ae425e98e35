package dev.sublet.cli.flag;

import com.google.common.collect.ImmutableList;
import dev.sublet.TranspileOptions;
import dev.sublet.analysis.ProgramFacts;
import dev.sublet.codec.program.ReadProgram;
import dev.sublet.diag.Diagnostic;
import dev.sublet.diag.DiagnosticLog;

/**
 * A program that has been read and analyzed.
 *
 * @param analysis the program and the facts about it
 * @param diagnostics the diagnostics of reading and analyzing it
 */
public record AnalyzedProgram(ProgramFacts analysis, ImmutableList<Diagnostic> diagnostics) {

  /** Reads and analyzes a program. */
  public static AnalyzedProgram of(ProgramSource source, AnalysisFlags flags) {
    ReadProgram read = source.readProgram();
    DiagnosticLog log = new DiagnosticLog();
    TranspileOptions options = flags.options(read.program(), log);
    ProgramFacts analysis =
        source.about(() -> ProgramFacts.of(read.program(), options.analysis(), log));
    return new AnalyzedProgram(
        analysis,
        ImmutableList.<Diagnostic>builder()
            .addAll(read.warnings())
            .addAll(log.diagnostics())
            .build());
  }
}
