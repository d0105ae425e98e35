package dev.sublet.testing.damage;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Iterables;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * Finds a small part of a list that fails as all of it does: stretches are left out, half of the
 * list at first, then shorter ones, in the end single elements until none can be spared.
 *
 * <p>Source: Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input".
 */
public final class DeltaDebugging {

  private int tests;

  /**
   * A search, or several one after the other.
   *
   * @param tests how many lists may be tried in all
   */
  public DeltaDebugging(int tests) {
    this.tests = tests;
  }

  /** Whether nothing more may be tried. */
  public boolean isExhausted() {
    return tests <= 0;
  }

  /** A part, in order, that fails; nothing is tried twice in a row with the same length. */
  public <T> ImmutableList<T> minimize(List<T> whole, Predicate<List<T>> fails) {
    ImmutableList<T> kept = ImmutableList.copyOf(whole);
    for (int length = Math.max(1, kept.size() / 2); length > 0; ) {
      ImmutableList<T> shorter = leaveOut(kept, length, fails);
      if (length > 1) {
        length /= 2;
      } else if (shorter.size() == kept.size() || isExhausted()) {
        return shorter;
      }
      kept = shorter;
    }
    return kept;
  }

  /** The same for the numbers from 0 on and before an end. */
  public ImmutableList<Integer> minimize(int end, Predicate<List<Integer>> fails) {
    return minimize(IntStream.range(0, end).boxed().toList(), fails);
  }

  private <T> ImmutableList<T> leaveOut(
      ImmutableList<T> whole, int length, Predicate<List<T>> fails) {
    ImmutableList<T> kept = whole;
    for (int begin = 0; begin < kept.size() && !isExhausted(); ) {
      int end = Math.min(kept.size(), begin + length);
      ImmutableList<T> candidate =
          ImmutableList.copyOf(
              Iterables.concat(kept.subList(0, begin), kept.subList(end, kept.size())));
      tests--;
      if (fails.test(candidate)) {
        kept = candidate;
      } else {
        begin = end;
      }
    }
    return kept;
  }
}
