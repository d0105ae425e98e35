package dev.sublet.loop;

import com.google.common.collect.ImmutableList;
import dev.sublet.plan.Interval;
import java.util.List;

/** Lists of intervals. */
final class Intervals {

  private Intervals() {}

  /** The same points in as few intervals as possible. */
  static ImmutableList<Interval> joined(List<Interval> intervals) {
    List<Interval> sorted =
        intervals.stream().sorted(java.util.Comparator.comparingInt(Interval::begin)).toList();
    ImmutableList.Builder<Interval> joined = ImmutableList.builder();
    Interval last = sorted.get(0);
    for (Interval next : sorted.subList(1, sorted.size())) {
      if (next.begin() <= last.end()) {
        last = new Interval(last.begin(), Math.max(last.end(), next.end()));
      } else {
        joined.add(last);
        last = next;
      }
    }
    return joined.add(last).build();
  }
}
