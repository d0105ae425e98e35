package dev.sublet.fuzz;

import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.RunComparison;
import dev.sublet.RunComparison.RunInputs;
import dev.sublet.TranspileOptions;
import dev.sublet.TranspileResult;
import dev.sublet.Transpiler;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.DataType;
import dev.sublet.program.Program;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.kernel.RandomTensors;
import dev.sublet.runtime.machine.ExecutionOptions;
import java.util.Optional;

/** A program of {@code ExecutablePrograms}, which must give equal bits however it is run. */
final class ExecutedCase {

  /** A program that the shrinker has made may have a loop without an end. */
  private static final ExecutionOptions OPTIONS = ExecutionOptions.defaults().withMaxSteps(20_000);

  private ExecutedCase() {}

  /** Which form of the program gives other bits; empty if none does. */
  static Optional<String> fault(Program program, TranspileOptions options) {
    RunInputs inputs = inputs(program);
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

  private static RunInputs inputs(Program program) {
    return new RunInputs(
        ImmutableMap.of(
            "x", feed("x", ImmutableLongArray.of(4, 4)), "y", feed("y", ImmutableLongArray.of(16))),
        RandomTensors.parameters(program));
  }

  private static LodTensor feed(String name, ImmutableLongArray shape) {
    return LodTensor.of(RandomTensors.feed(name, 0, DataType.FP32, shape));
  }
}
