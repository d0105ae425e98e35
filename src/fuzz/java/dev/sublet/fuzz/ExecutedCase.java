package dev.sublet.fuzz;

import com.google.common.collect.ImmutableMap;
import dev.sublet.RunComparison;
import dev.sublet.RunComparison.RunInputs;
import dev.sublet.TranspileOptions;
import dev.sublet.TranspileResult;
import dev.sublet.Transpiler;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.Program;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.kernel.RandomTensors;
import dev.sublet.runtime.machine.ExecutionOptions;
import java.util.Optional;

/** A program that runs, and must give equal bits in each form. */
final class ExecutedCase {

  /** A program that the shrinker has made may have a loop without an end. */
  private static final ExecutionOptions OPTIONS = ExecutionOptions.defaults().withMaxSteps(20_000);

  private ExecutedCase() {}

  /** Which form of the program gives other bits; empty if none does. */
  static Optional<String> fault(
      Program program, ImmutableMap<String, LodTensor> feeds, TranspileOptions options) {
    RunInputs inputs = new RunInputs(feeds, RandomTensors.parameters(program));
    TranspileResult transpiled = Transpiler.transpile(program, options);
    Optional<String> fault = difference(RunComparison.run(transpiled, inputs, OPTIONS, step -> {}));
    if (fault.isPresent()) {
      return fault;
    }
    MemoryPlan plan = Transpiler.plan(program, options).plan();
    return difference(RunComparison.run(program, plan, inputs, OPTIONS, step -> {}))
        .map(difference -> "planned as it is: " + difference);
  }

  private static Optional<String> difference(RunComparison comparison) {
    for (RunComparison.Form form : comparison.forms()) {
      if (!comparison.isEqual(form)) {
        return Optional.of("run: " + form.name() + " gives other bits " + form.error());
      }
    }
    return Optional.empty();
  }
}
