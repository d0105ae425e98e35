package dev.sublet;

import dev.sublet.analysis.ProgramFacts;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.offset.Capacity;
import dev.sublet.program.Program;
import dev.sublet.sharing.VariableSharing;
import java.util.function.Consumer;

/**
 * A rewritten program and its plan, which are still to be proved and may need more than the
 * capacities.
 *
 * @param before the facts about the program that was rewritten
 * @param chosen the rewritten program
 */
record RewriteDraft(ProgramFacts before, RewriteCandidate chosen) {

  /** Analyzes, shares and plans. */
  static RewriteDraft of(
      Program original, TranspileOptions options, Consumer<Stage> stages, DiagnosticLog log) {
    stages.accept(Stage.ANALYSIS);
    ProgramFacts before = ProgramFacts.of(original, options.analysis(), log);
    stages.accept(Stage.LOOPS);
    ProgramFacts coalesced = LoopPasses.coalesce(before, options, log);
    return new RewriteDraft(
        before, RewriteCandidate.choose(before, coalesced, options, stages, log));
  }

  /**
   * Returns the result after its proofs.
   *
   * @param original the facts about the original: those before, unless these are of a proved order
   *     of its operators
   * @param log contains the diagnostics so far
   */
  TranspileResult proved(
      ProgramFacts original, TranspileOptions options, Consumer<Stage> stages, DiagnosticLog log) {
    PlanCandidate planned = chosen.planned();
    Capacity.check(
        planned.facts().liveness().graph(), planned.plan(), options.offsets().capacity());
    stages.accept(Stage.PROOF);
    Proofs.demandAll(before, chosen, options);
    return new TranspileResult(
        original,
        VariableSharing.bytesInUse(original.liveness(), original.sizes()),
        planned.facts(),
        planned.plan(),
        planned.chosen().nodes(),
        chosen.sharing(),
        log.diagnostics());
  }
}
