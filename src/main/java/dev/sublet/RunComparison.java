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
 * A program that was run in several forms, which must give equal bits.
 *
 * @param original the results of the program as it is, with one buffer a variable
 * @param forms the other forms
 */
public record RunComparison(ExecutionResult original, ImmutableList<Form> forms) {

  /** What the program is run on. */
  public record Inputs(
      ImmutableMap<String, LodTensor> feeds, ImmutableMap<String, Tensor> parameters) {

    public Inputs {
      requireNonNull(feeds, "feeds");
      requireNonNull(parameters, "parameters");
    }
  }

  /**
   * Another form.
   *
   * @param name what it is: {@code shared names}, {@code arena}
   * @param result its results; null if it could not run to the end
   * @param error why not; empty if it could
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
   * Runs a program as it is, then what {@link Transpiler#transpile} made of it with its shared
   * names, then that inside the arenas of its plan.
   *
   * @param step is told of each step that is done, by its name
   * @throws ProgramException if the program as it is cannot run
   */
  public static RunComparison run(
      TranspileResult transpiled, Inputs inputs, ExecutionOptions options, Consumer<String> step) {
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
   * Runs a program as it is, then inside the arenas of a plan for it.
   *
   * @throws ProgramException if the program as it is cannot run
   */
  public static RunComparison run(
      Program program,
      MemoryPlan plan,
      Inputs inputs,
      ExecutionOptions options,
      Consumer<String> step) {
    ExecutionResult original = run(program, inputs, options);
    step.accept("run as it is");
    Form arena = form("arena", () -> run(program, inputs, options.in(plan)));
    step.accept("run in the arena");
    return new RunComparison(original, ImmutableList.of(arena));
  }

  private static ExecutionResult run(Program program, Inputs inputs, ExecutionOptions options) {
    return Executor.run(program, inputs.feeds(), inputs.parameters(), options);
  }

  private static Form form(String name, Supplier<ExecutionResult> run) {
    try {
      return new Form(name, run.get(), "");
    } catch (ProgramException e) {
      return new Form(name, null, String.valueOf(e.getMessage()));
    }
  }

  /** Whether a form has an output with equal type, shape, sequences and bits at a position. */
  public boolean isEqual(Form form, int output) {
    ExecutionResult result = form.result();
    return result != null
        && output < result.outputs().size()
        && result.outputs().get(output).equals(original.outputs().get(output));
  }

  /** Whether a form has equal results: outputs, and what persistable variables hold at the end. */
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
