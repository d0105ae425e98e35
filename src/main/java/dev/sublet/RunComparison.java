package dev.sublet;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.sublet.diag.ProgramException;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.Program;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.machine.ExecutionOptions;
import dev.sublet.runtime.machine.ExecutionResult;
import dev.sublet.runtime.machine.Executor;
import dev.sublet.runtime.tensor.Tensor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The results of one program that was run in several forms. All forms must give equal bits.
 *
 * @param original the results of the original program, with one buffer per variable
 * @param forms the results of the other forms
 */
public record RunComparison(ExecutionResult original, ImmutableList<Form> forms) {

  /** The inputs of all runs. */
  public record RunInputs(
      ImmutableMap<String, LodTensor> feeds, ImmutableMap<String, Tensor> parameters) {

    public RunInputs {
      requireNonNull(feeds, "feeds");
      requireNonNull(parameters, "parameters");
    }
  }

  /**
   * The result of another form of the program.
   *
   * @param name the name of the form: {@code shared names} or {@code arena}
   * @param result the results; null if the run failed
   * @param error the reason of the failure; empty if the run ended normally
   */
  public record Form(String name, @Nullable ExecutionResult result, String error) {

    public Form {
      requireNonNull(name, "name");
      requireNonNull(error, "error");
    }
  }

  public RunComparison {
    requireNonNull(original, "original");
    requireNonNull(forms, "forms");
  }

  /**
   * Runs the original program, then the program with shared names that {@link Transpiler#transpile}
   * made from it, then the latter inside the arenas of its plan.
   *
   * @param step receives the name of each run when the run has ended
   * @throws ProgramException if the original program cannot run
   */
  public static RunComparison run(
      TranspileResult transpiled,
      RunInputs inputs,
      ExecutionOptions options,
      Consumer<String> step) {
    ExecutionResult original = run(transpiled.original(), inputs, options);
    step.accept("run as it is");
    Form shared = form("shared names", () -> run(transpiled.program(), inputs, options));
    step.accept("run with shared names");
    Form arena =
        form("arena", () -> run(transpiled.program(), inputs, options.in(transpiled.plan())));
    step.accept("run in the arena");
    return new RunComparison(original, ImmutableList.of(shared, arena));
  }

  /**
   * Runs a program with one buffer per variable, then inside the arenas of a plan for it.
   *
   * @param step receives the name of each run when the run has ended
   * @throws ProgramException if the program cannot run with one buffer per variable
   */
  public static RunComparison run(
      Program program,
      MemoryPlan plan,
      RunInputs inputs,
      ExecutionOptions options,
      Consumer<String> step) {
    ExecutionResult original = run(program, inputs, options);
    step.accept("run as it is");
    Form arena = form("arena", () -> run(program, inputs, options.in(plan)));
    step.accept("run in the arena");
    return new RunComparison(original, ImmutableList.of(arena));
  }

  private static ExecutionResult run(Program program, RunInputs inputs, ExecutionOptions options) {
    return Executor.run(program, inputs.feeds(), inputs.parameters(), options);
  }

  private static Form form(String name, Supplier<ExecutionResult> run) {
    try {
      return new Form(name, run.get(), "");
    } catch (ProgramException e) {
      return new Form(name, null, String.valueOf(e.getMessage()));
    }
  }

  /** Whether the output of a form at a position has equal type, shape, sequences and bits. */
  public boolean isEqual(Form form, int output) {
    ExecutionResult result = form.result();
    return result != null
        && output < result.outputs().size()
        && result.outputs().get(output).equals(original.outputs().get(output));
  }

  /** Whether a form has equal results: outputs and final values of persistable variables. */
  public boolean isEqual(Form form) {
    ExecutionResult result = form.result();
    return result != null
        && result.outputs().equals(original.outputs())
        && result.unset().equals(original.unset())
        && result.persistables().equals(original.persistables());
  }

  /** Whether all forms have equal results. */
  public boolean isEqual() {
    for (Form form : forms) {
      if (!isEqual(form)) {
        return false;
      }
    }
    return true;
  }
}
