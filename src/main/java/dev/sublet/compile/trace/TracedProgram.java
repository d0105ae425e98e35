package dev.sublet.compile.trace;

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
 * @param regions the loops and branches: nested or disjoint, an outer one before those inside of it
 * @param outputs the results, in order
 * @param live the names of the values that a step, a region or a result reads
 * @param lasting the names of values that a branch in a loop writes, and that an iteration which
 *     does not write them may read
 */
public record TracedProgram(
    ImmutableList<TracedValue> inputs,
    ImmutableList<TracedStep> steps,
    ImmutableList<TracedRegion> regions,
    ImmutableList<Output> outputs,
    ImmutableSet<String> live,
    ImmutableSet<String> lasting) {

  /**
   * A result.
   *
   * @param name the name of the fetched variable
   * @param value the value
   * @param step the number of steps before which the value is final; results are taken there
   */
  public record Output(String name, TracedValue value, int step) {

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
  public int files() {
    return outputs.size()
        - (int) outputs.stream().filter(output -> output.value().shape().isPresent()).count();
  }

  public TracedProgram {
    requireNonNull(inputs, "inputs");
    requireNonNull(steps, "steps");
    requireNonNull(regions, "regions");
    requireNonNull(outputs, "outputs");
    requireNonNull(live, "live");
    requireNonNull(lasting, "lasting");
  }
}
