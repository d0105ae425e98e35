package dev.sublet.plan;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import java.util.Collection;
import java.util.Comparator;

/**
 * A half-open, non-empty range of program points.
 *
 * @param begin the first point
 * @param end the first point after it
 */
public record Interval(int begin, int end) {

  /** Throws {@link IllegalArgumentException} if the interval is empty. */
  public Interval {
    checkArgument(begin < end, "[%s, %s) is empty", begin, end);
  }

  /** Whether the two intervals have a point in common. */
  public boolean overlaps(Interval other) {
    return begin < other.end && other.begin < end;
  }

  /** Returns the union of some intervals, ascending and disjoint. O(n log n). */
  public static ImmutableList<Interval> union(Collection<Interval> intervals) {
    ImmutableList.Builder<Interval> union = ImmutableList.builder();
    int begin = 0;
    int end = 0;
    for (Interval interval :
        ImmutableList.sortedCopyOf(Comparator.comparingInt(Interval::begin), intervals)) {
      if (interval.begin() > end) {
        if (begin < end) {
          union.add(new Interval(begin, end));
        }
        begin = interval.begin();
      } else if (begin == end) {
        begin = interval.begin();
      }
      end = Math.max(end, interval.end());
    }
    if (begin < end) {
      union.add(new Interval(begin, end));
    }
    return union.build();
  }

  @Override
  public String toString() {
    return "[" + begin + ", " + end + ")";
  }
}
