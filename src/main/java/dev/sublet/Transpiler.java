package dev.sublet;

import dev.sublet.analysis.ProgramFacts;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.ProgramException;
import dev.sublet.offset.Capacity;
import dev.sublet.offset.PathCoverGuarantee;
import dev.sublet.program.Program;
import java.util.function.Consumer;

/**
 * The front door of the library: analyze, coalesce loops, share names, plan offsets, prove.
 *
 * <p>Stateless and thread-safe; same input, same output. Near-linear in the program's arguments.
 */
public final class Transpiler {

  private Transpiler() {}

  /**
   * Rewrites a program so that its variables share names, and plans the offsets of the new program.
   * Both validators have accepted the result.
   *
   * @param original the program; it is not changed
   * @param options the options of the run
   * @return the new program, its plan, and the new name of each variable
   * @throws ProgramException if the options do not fit the program or a size does not fit 64 bits
   *     (exit code 5 if an arena does not fit the capacity)
   * @throws IllegalStateException if a validator rejects the result: a bug of Sublet
   */
  public static TranspileResult transpile(Program original, TranspileOptions options) {
    return transpile(original, options, stage -> {});
  }

  /**
   * Does the same as {@link #transpile(Program, TranspileOptions)}, and passes each stage to {@code
   * stages}, on the calling thread, when the stage begins.
   */
  public static TranspileResult transpile(
      Program original, TranspileOptions options, Consumer<Stage> stages) {
    return Fallback.toCopies(options, (used, log) -> transpile(original, used, stages, log));
  }

  private static TranspileResult transpile(
      Program original, TranspileOptions options, Consumer<Stage> stages, DiagnosticLog log) {
    RewriteDraft draft = RewriteDraft.of(original, options, stages, log);
    return draft.proved(draft.before(), options, stages, log);
  }

  /**
   * Plans the offsets of a program as it is. The plan validator has accepted the plan.
   *
   * @param program the program
   * @param options the options of the run; options for sharing and rewriting have no effect
   * @return the plan
   * @throws ProgramException if the options do not fit the program or a size does not fit 64 bits
   *     (exit code 5 if an arena does not fit the capacity)
   * @throws IllegalStateException if the validator rejects the plan: a bug of Sublet
   */
  public static PlanResult plan(Program program, TranspileOptions options) {
    return plan(program, options, stage -> {});
  }

  /**
   * Does the same as {@link #plan(Program, TranspileOptions)}, and passes each stage to {@code
   * stages}, on the calling thread, when the stage begins.
   */
  public static PlanResult plan(Program program, TranspileOptions options, Consumer<Stage> stages) {
    return Fallback.toCopies(options, (used, log) -> plan(program, used, stages, log));
  }

  private static PlanResult plan(
      Program program, TranspileOptions options, Consumer<Stage> stages, DiagnosticLog log) {
    return proved(draft(program, options, stages, log), options, stages, log);
  }

  /** Plans a program as it is. The plan is not proved, and may need more than the capacities. */
  static PlanCandidate draft(
      Program program, TranspileOptions options, Consumer<Stage> stages, DiagnosticLog log) {
    stages.accept(Stage.ANALYSIS);
    ProgramFacts facts = ProgramFacts.of(program, options.analysis(), log);
    stages.accept(Stage.PLANNING);
    PlanCandidate planned = LoopPasses.plan(facts, options, log);
    LoopPasses.noteCost(planned, /* isCoalesced= */ false, log);
    return planned;
  }

  /** Returns a plan after its proof; {@code log} contains the diagnostics so far. */
  static PlanResult proved(
      PlanCandidate planned, TranspileOptions options, Consumer<Stage> stages, DiagnosticLog log) {
    demand(planned, options, stages);
    return new PlanResult(
        planned.facts(),
        planned.plan(),
        planned.chosen().nodes(),
        PathCoverGuarantee.of(planned.facts(), planned.plan(), options.offsets()),
        log.diagnostics());
  }

  static PlanCandidate plan(
      ProgramFacts facts, TranspileOptions options, Consumer<Stage> stages, DiagnosticLog log) {
    stages.accept(Stage.PLANNING);
    PlanCandidate planned = LoopPasses.plan(facts, options, log);
    LoopPasses.noteCost(planned, /* isCoalesced= */ false, log);
    demand(planned, options, stages);
    return planned;
  }

  /** Demands that a plan meets the capacities, and its proof. */
  private static void demand(
      PlanCandidate planned, TranspileOptions options, Consumer<Stage> stages) {
    ControlFlowGraph graph = planned.facts().liveness().graph();
    Capacity.check(graph, planned.plan(), options.offsets().capacity());
    stages.accept(Stage.PROOF);
    Proofs.demand(planned, options);
  }
}
