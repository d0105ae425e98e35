package dev.sublet.operator.spec;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;

/**
 * The evidence for an in-place pair: the number of calls of the real Paddle Inference 2.3.2 that
 * gave the same bits in place as with separate buffers.
 *
 * <p>The test {@code OperatorFactsTest} runs the calls. It writes the table {@code
 * in-place-runs.txt} and compares the table with every later run.
 *
 * @param names the number of calls in which input and output were one variable
 * @param buffers the number of calls in which input and output were two variables in one buffer
 */
public record InPlaceRuns(int names, int buffers) {

  private static final InPlaceRuns NONE = new InPlaceRuns(0, 0);

  private static final ImmutableMap<String, InPlaceRuns> TABLE = read();

  private static ImmutableMap<String, InPlaceRuns> read() {
    ImmutableMap.Builder<String, InPlaceRuns> table = ImmutableMap.builder();
    for (ImmutableList<String> row : EvidenceTable.rows("in-place-runs.txt")) {
      table.put(
          row.get(0) + " " + row.get(1),
          new InPlaceRuns(Integer.parseInt(row.get(2)), Integer.parseInt(row.get(3))));
    }
    return table.buildOrThrow();
  }

  /** Returns the runs of a pair; {@code NONE} if the table does not contain it. O(1). */
  static InPlaceRuns of(String type, String input, String output) {
    return TABLE.getOrDefault(type + " " + input + "->" + output, NONE);
  }

  /** Whether there was any run. */
  public boolean any() {
    return names > 0 || buffers > 0;
  }
}
