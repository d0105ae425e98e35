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
 * The facts that explain the name and the offset of each variable of a program.
 *
 * @param analysis the program and the facts about it
 * @param carries the values that the loops of the program hand to their next iterations
 * @param shared the program whose names were shared: the program of {@code analysis}, or its form
 *     with fewer loop-carried copies
 * @param names the reason for each name in {@code shared}
 * @param plan the offsets of the original program
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
   * Shares names and plans offsets, and records the reasons for both. Does not rewrite the program.
   *
   * @param program the program
   * @param options the options of the run to explain
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

  /** The facts about the form of the program whose names {@link Transpiler#transpile} shares. */
  private static ProgramFacts coalesced(ProgramFacts facts, TranspileOptions options) {
    ProgramFacts coalesced = LoopPasses.coalesce(facts, options, new DiagnosticLog());
    if (options.loops() != LoopMode.SMALLEST) {
      return coalesced;
    }
    return RewriteCandidate.choose(facts, coalesced, options, stage -> {}, new DiagnosticLog())
        .coalesced();
  }
}
