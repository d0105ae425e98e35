package dev.sublet;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.sublet.analysis.ProgramFacts;
import dev.sublet.diag.Diagnostic;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.loop.LoopCarriedValues;
import dev.sublet.loop.LoopMode;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.Program;
import dev.sublet.sharing.SharingReasons;
import dev.sublet.sharing.VariableSharing;

/**
 * Everything that is needed to say why the variables of a program are where they are.
 *
 * @param analysis the program and the facts about it
 * @param carries what its loops hand to their next iterations
 * @param shared the program whose names were shared: that of the analysis, or one in which its
 *     loops copy less
 * @param names what became of the names of that program
 * @param plan the offsets of the program as it is
 * @param diagnostics warnings and notes, in order
 */
public record Explanation(
    ProgramFacts analysis,
    LoopCarriedValues carries,
    ProgramFacts shared,
    SharingReasons names,
    MemoryPlan plan,
    ImmutableList<Diagnostic> diagnostics) {

  public Explanation {
    requireNonNull(analysis, "analysis");
    requireNonNull(carries, "carries");
    requireNonNull(shared, "shared");
    requireNonNull(names, "names");
    requireNonNull(plan, "plan");
    requireNonNull(diagnostics, "diagnostics");
  }

  /**
   * Shares names and plans offsets, and keeps what both were decided by, so that it can be said of
   * each variable why. Nothing is rewritten.
   *
   * @param program the program
   * @param options what would be done
   * @return the facts
   * @throws dev.sublet.diag.ProgramException as {@link Transpiler#plan(Program, TranspileOptions)}
   *     does
   */
  public static Explanation of(Program program, TranspileOptions options) {
    return Fallback.toCopies(options, (used, log) -> of(program, used, log));
  }

  private static Explanation of(Program program, TranspileOptions options, DiagnosticLog log) {
    ProgramFacts facts = ProgramFacts.of(program, options.analysis(), log);
    ProgramFacts coalesced = coalesced(facts, options);
    Proofs.demand(facts, coalesced, options);
    SharingReasons names = VariableSharing.explain(coalesced, options.sharing(), log);
    PlanCandidate planned = Transpiler.plan(facts, options, stage -> {}, log);
    return new Explanation(
        facts, LoopPasses.carries(facts), coalesced, names, planned.plan(), log.diagnostics());
  }

  /** The program that names are shared in: of the two that optimize would look at, its choice. */
  private static ProgramFacts coalesced(ProgramFacts facts, TranspileOptions options) {
    ProgramFacts coalesced = LoopPasses.coalesce(facts, options);
    if (options.loops() != LoopMode.SMALLEST) {
      return coalesced;
    }
    return RewriteCandidate.choose(facts, coalesced, options, stage -> {}, new DiagnosticLog())
        .coalesced();
  }
}
