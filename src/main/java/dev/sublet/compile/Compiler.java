package dev.sublet.compile;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.sublet.PlanResult;
import dev.sublet.Stage;
import dev.sublet.TranspileOptions;
import dev.sublet.Transpiler;
import dev.sublet.analysis.ProgramFacts;
import dev.sublet.compile.trace.ProgramTrace;
import dev.sublet.compile.trace.TracedProgram;
import dev.sublet.compile.trace.TracedStep;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.ProgramException;
import dev.sublet.liveness.ObservationOptions;
import dev.sublet.program.Program;
import dev.sublet.runtime.tensor.Tensor;
import dev.sublet.shape.ShapeOptions;
import java.util.function.Consumer;

/**
 * Compiles a program to C99: the front door of the package.
 *
 * <p>The C code computes the bits that {@link dev.sublet.runtime.machine.Executor} computes. It
 * needs no memory but one arena, whose size is that of a proved plan, and constants. Stateless and
 * thread-safe; same input, same files. Linear in the program and its constants, besides planning.
 */
public final class Compiler {

  /** The plans that are made at most for panels. */
  private static final int ATTEMPTS = 4;

  private Compiler() {}

  /**
   * Compiles a program.
   *
   * @param program the program
   * @param parameters the tensors of its persistable variables, by name
   * @param stages gets the stages of planning, on the calling thread
   * @param log gets the notes and warnings of the analysis
   * @throws ProgramException if an operator cannot be compiled (exit code 4, one error for all of
   *     them), a shape is not known, or the arena does not fit the capacity (exit code 5)
   * @throws IllegalStateException if the validator rejects the plan: a bug of Sublet
   */
  public static CompiledModel compile(
      Program program,
      ImmutableMap<String, Tensor> parameters,
      CompileOptions options,
      Consumer<Stage> stages,
      DiagnosticLog log) {
    ProgramFacts facts = ProgramFacts.of(program, options.plan().analysis(), log);
    TracedProgram trace =
        ProgramTrace.trace(facts, parameters, options.fetch(), options.unrolled());
    ImmutableList.Builder<LoweredStep> lowered = ImmutableList.builder();
    for (TracedStep step : trace.steps()) {
      lowered.add(LoweredStep.of(step, trace));
    }
    JoinedSteps joined =
        JoinedSteps.of(
            trace, ConstantNests.run(lowered.build()), facts.catalog(), program.version());
    return ModelFiles.write(plan(facts, joined.trace(), joined.steps(), options, stages), options);
  }

  /**
   * Plans the arena without panels, then with the panels that fit into its free bytes and into the
   * bytes by which it may grow. The free bytes may be in pieces, so that the second arena becomes
   * too large: then smaller panels are tried.
   */
  private static ModelDraft plan(
      ProgramFacts facts,
      TracedProgram trace,
      ImmutableList<LoweredStep> steps,
      CompileOptions options,
      Consumer<Stage> stages) {
    ModelDraft plain = draft(facts, trace, steps, options, stages);
    ArenaLayout arena = new ArenaLayout(plain.plan().plan());
    long growth = options.growth(arena.bytes());
    long bytes = growth;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      ImmutableList<LoweredStep> chosen =
          PanelChoice.choose(steps, plain.planned(), arena, bytes, options.threads());
      ModelDraft draft = draft(facts, trace, chosen, options, stages);
      if (draft.plan().plan().arenaBytes() <= arena.bytes() + growth) {
        return draft.withSteps(PackedWeights.pack(chosen));
      }
      // The free bytes count less and less, and at last only panels without memory are left.
      bytes = attempt == ATTEMPTS - 2 ? -arena.bytes() : bytes - arena.bytes() / (ATTEMPTS - 1);
    }
    return plain;
  }

  private static ModelDraft draft(
      ProgramFacts facts,
      TracedProgram trace,
      ImmutableList<LoweredStep> steps,
      CompileOptions options,
      Consumer<Stage> stages) {
    Program program = facts.program();
    PlannedProgram planned = PlannedProgram.of(program, trace, steps, facts.catalog());
    PlanResult plan = Transpiler.plan(planned.program(), planning(options.plan()), stages);
    return new ModelDraft(program, trace, steps, planned, plan);
  }

  /** Returns options for a program in which feeds are copied into the arena. */
  private static TranspileOptions planning(TranspileOptions options) {
    return options
        .withShapes(ShapeOptions.defaults())
        .withObservation(
            new ObservationOptions(ImmutableSet.of(), ImmutableSet.of(), /* reuseFeeds= */ true));
  }
}
