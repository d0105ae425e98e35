package dev.sublet.cli;

import dev.sublet.Analysis;
import dev.sublet.loop.Carries;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.report.LoopReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code sublet explain}: why loops copy, or do not. */
@Command(
    name = "explain",
    description = {
      "Explains what a program's loops hand from one iteration to the next: which copies are not"
          + " needed since two variables can have one place, which since a variable can be in"
          + " another place in each iteration, which stay, and why."
    },
    footer = {
      "",
      "Examples:",
      "  sublet explain model.pdmodel",
      "  sublet explain model.pdmodel --json",
    })
final class ExplainCommand implements Verb {

  @Parameters(
      index = "0",
      paramLabel = "IN",
      description = "The program: a file, a directory that holds one, or - for standard input.")
  private String input = "";

  @Mixin private final AnalysisFlags flags = new AnalysisFlags();

  @Mixin private final ReportFlags report = new ReportFlags();

  private final Streams streams;

  ExplainCommand(Streams streams) {
    this.streams = streams;
  }

  @Override
  public int call() {
    StepClock clock = report.clock(streams);
    AnalyzedProgram analyzed = AnalyzedProgram.of(new ProgramSource(input, streams), flags);
    clock.endStep("read and analyze");
    Analysis analysis = analyzed.analysis();
    Carries carries =
        Carries.find(
            analysis.liveness(),
            analysis.sizes(),
            analysis.lod(),
            analysis.places(),
            OperatorCatalog.standard(),
            Carries.MAX_REPEAT);
    report.print(analyzed.diagnostics(), streams);
    report.print(new LoopReport(analysis, carries), streams);
    return ExitCode.OK;
  }
}
