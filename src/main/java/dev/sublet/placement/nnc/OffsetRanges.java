package dev.sublet.placement.nnc;

import dev.sublet.placement.problem.PlanningProblem;
import java.util.Arrays;

/** Ascending, disjoint ranges of offsets; both ends of a range are included. */
final class OffsetRanges {

  /** Stands for no offset. */
  static final long NONE = -1;

  private long[] lows = new long[8];
  private long[] highs = new long[8];
  private int count;

  /** Adds a range above all others, unless it is empty. */
  void add(long low, long high) {
    if (low > high) {
      return;
    }
    if (count == lows.length) {
      lows = Arrays.copyOf(lows, 2 * count);
      highs = Arrays.copyOf(highs, 2 * count);
    }
    lows[count] = low;
    highs[count] = high;
    count++;
  }

  /**
   * Returns the ranges with the given number of offsets removed at each upper end; ranges with no
   * more offsets are dropped.
   */
  OffsetRanges shortenedBy(long offsets) {
    OffsetRanges shortened = new OffsetRanges();
    for (int i = 0; i < count; i++) {
      shortened.add(lows[i], highs[i] - offsets);
    }
    return shortened;
  }

  /** Returns the begin of the last range if it ends at {@code end}, else {@code otherwise}. */
  long beginOfLast(long end, long otherwise) {
    return count > 0 && highs[count - 1] == end ? lows[count - 1] : otherwise;
  }

  /** Returns the offsets that are in both sets of ranges. */
  OffsetRanges intersect(OffsetRanges other) {
    OffsetRanges both = new OffsetRanges();
    int i = 0;
    int j = 0;
    while (i < count && j < other.count) {
      both.add(Math.max(lows[i], other.lows[j]), Math.min(highs[i], other.highs[j]));
      if (highs[i] < other.highs[j]) {
        i++;
      } else {
        j++;
      }
    }
    return both;
  }

  /**
   * Returns the lowest aligned offset from {@code low} to {@code high} in these ranges, or {@link
   * #NONE}.
   */
  long lowestWithin(long low, long high, long alignment) {
    for (int i = 0; i < count && lows[i] <= high; i++) {
      long offset = PlanningProblem.align(Math.max(low, lows[i]), alignment);
      if (offset <= Math.min(high, highs[i])) {
        return offset;
      }
    }
    return NONE;
  }

  /**
   * Returns the lowest aligned offset of the narrowest range that has one (of equal ranges, the
   * lowest), or {@link #NONE}.
   */
  long lowestOfNarrowest(long alignment) {
    long best = NONE;
    long width = Long.MAX_VALUE;
    for (int i = 0; i < count; i++) {
      long offset = PlanningProblem.align(lows[i], alignment);
      if (offset <= highs[i] && highs[i] - lows[i] < width) {
        width = highs[i] - lows[i];
        best = offset;
      }
    }
    return best;
  }
}
