package dev.sublet.offset.merge;

import com.google.common.collect.ImmutableList;
import dev.sublet.plan.Interval;
import java.util.Comparator;
import java.util.List;

/** Sets of program points. */
final class Intervals {

  private Intervals() {}

  /** The points of all of them together, ascending and disjoint; sorts the list. O(n log n). */
  static ImmutableList<Interval> union(List<Interval> intervals) {
    intervals.sort(Comparator.comparingInt(Interval::begin));
    ImmutableList.Builder<Interval> union = ImmutableList.builder();
    int begin = 0;
    int end = 0;
    for (Interval interval : intervals) {
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
}
