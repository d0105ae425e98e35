package dev.sublet.offset;

import com.google.common.collect.ImmutableList;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.Interval;
import dev.sublet.plan.MemoryPlan;
import java.util.ArrayList;
import java.util.List;

/**
 * The time at which the most bytes of an arena are occupied, and the allocations that occupy them.
 * A variable that a loop moves counts at its location before any iteration has ended.
 *
 * @param begin the first point of the earliest such time
 * @param end the point at which the occupied bytes change
 * @param bytes the number of occupied bytes; a byte that several allocations share counts once
 * @param allocations the allocations that occupy them, by index in the plan, the largest first
 */
public record ArenaPeak(int begin, int end, long bytes, ImmutableList<Integer> allocations) {

  /**
   * Returns the peak of an arena; of an empty one, no bytes at point 0. O(n log n) for n intervals.
   *
   * @param arena its index in the plan
   */
  public static ArenaPeak of(MemoryPlan plan, int arena) {
    List<PeakSweep.Segment> segments = segments(plan, arena);
    if (segments.isEmpty()) {
      return new ArenaPeak(0, 1, 0, ImmutableList.of());
    }
    PeakSweep.Peak peak = PeakSweep.find(segments);
    ImmutableList.Builder<Integer> allocations = ImmutableList.builder();
    for (PeakSweep.Segment segment : peak.segments()) {
      allocations.add(segment.owner());
    }
    return new ArenaPeak((int) peak.begin(), (int) peak.end(), peak.bytes(), allocations.build());
  }

  /**
   * The byte ranges of an arena that allocations occupy, and when. Owners are indices of
   * allocations.
   */
  static List<PeakSweep.Segment> segments(MemoryPlan plan, int arena) {
    List<PeakSweep.Segment> segments = new ArrayList<>();
    for (int a = 0; a < plan.allocations().size(); a++) {
      Allocation allocation = plan.allocations().get(a);
      if (allocation.arena() == arena && allocation.bytes() > 0) {
        long low = allocation.offset();
        for (Interval live : allocation.live()) {
          segments.add(
              new PeakSweep.Segment(a, live.begin(), live.end(), low, low + allocation.bytes()));
        }
      }
    }
    return segments;
  }
}
