package dev.sublet.testing.simulate;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;

/**
 * What a simulated run let the outside see.
 *
 * @param values for each thing observed, the values that it had each time it was observed: {@code
 *     fetch 0:7} at a fetch operator, {@code condition 0:3} each time a control operator read its
 *     condition, {@code end 0:w} at the program's end, {@code body 1:t} at each end of a body
 * @param undefinedControl whether a control operator read a condition that nothing had written, so
 *     that the program's meaning is open from there on
 */
public record Observations(ImmutableListMultimap<String, Long> values, boolean undefinedControl) {

  public Observations {
    requireNonNull(values, "values");
  }

  /**
   * What differs from the run of an original program: a line for each. A value that is undefined in
   * the original may be anything, and if the original has undefined control, so may everything.
   * Empty means that this run is as good. O(observations).
   */
  public ImmutableList<String> differencesFrom(Observations original) {
    if (original.undefinedControl) {
      return ImmutableList.of();
    }
    ImmutableList.Builder<String> differences = ImmutableList.builder();
    for (String key : original.values.keySet()) {
      ImmutableList<Long> expected = original.values.get(key);
      ImmutableList<Long> actual = values.get(key);
      if (expected.size() != actual.size()) {
        differences.add(key + ": seen " + actual.size() + " times, not " + expected.size());
        continue;
      }
      for (int i = 0; i < expected.size(); i++) {
        if (expected.get(i) != Values.UNDEFINED && !expected.get(i).equals(actual.get(i))) {
          differences.add(key + ": differs at time " + i);
          break;
        }
      }
    }
    return differences.build();
  }

  /** How many of the observed values are defined; only these can differ. */
  public int definedCount() {
    int count = 0;
    for (long value : values.values()) {
      count += value == Values.UNDEFINED ? 0 : 1;
    }
    return count;
  }
}
