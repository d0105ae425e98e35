package dev.sublet.compile;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.sublet.compile.kernel.CRoutine;
import java.util.List;

/**
 * The operators that a C program must run, in order.
 *
 * @param inputs the values of the feeds, in the order of their declaration
 * @param steps the operators whose results are read
 * @param outputs the results, in order
 * @param live the names of the values that a step or a result reads
 */
record TracedProgram(
    ImmutableList<TracedValue> inputs,
    ImmutableList<TracedStep> steps,
    ImmutableList<Output> outputs,
    ImmutableSet<String> live) {

  /**
   * A result.
   *
   * @param name the name of the fetched variable
   * @param value the value
   * @param step the number of steps before which the value is final; results are taken there
   */
  record Output(String name, TracedValue value, int step) {

    /** Returns results with the shapes of those whose shapes depend on data, each after its own. */
    static ImmutableList<Output> withShapes(List<Output> results) {
      ImmutableList.Builder<Output> all = ImmutableList.builder();
      for (Output result : results) {
        all.add(result);
        result
            .value()
            .shape()
            .ifPresent(
                shape -> all.add(new Output(result.name() + CRoutine.SHAPE, shape, result.step())));
      }
      return all.build();
    }
  }

  /** Returns the number of results without the shapes of others. */
  int files() {
    return outputs.size()
        - (int) outputs.stream().filter(output -> output.value().shape().isPresent()).count();
  }

  TracedProgram {
    requireNonNull(inputs, "inputs");
    requireNonNull(steps, "steps");
    requireNonNull(outputs, "outputs");
    requireNonNull(live, "live");
  }
}
