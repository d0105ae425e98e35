package dev.sublet.verify.plan;

import dev.sublet.plan.Interval;
import dev.sublet.program.Program;
import dev.sublet.verify.graph.ExclusivePattern;
import dev.sublet.verify.graph.IntList;
import dev.sublet.verify.graph.ProgramGraph;
import dev.sublet.verify.graph.Violations;
import java.util.Arrays;

/**
 * Finds allocations that overlap in time and in bytes without a reason that allows it. O(n log n)
 * for n live ranges.
 *
 * <pre>
 *   x live in [1, 8) at [0, 64), y live in [4, 6) at [32, 96)     a violation from point 4 on
 * </pre>
 *
 * <p>The interpreter follows values, so it accepts a plan whose live ranges are longer than
 * necessary. This check compares the live ranges, on which a runtime relies.
 */
final class OverlapSweep {

  private final Program program;
  private final PlacedAllocations allocations;
  private final PhasedLocations locations;
  private final ExclusivePattern exclusive;
  private final BufferGroups groups;
  private final ViewFamilies views;
  private final Violations violations;

  /**
   * Creates the sweep. No location may be occupied yet, and all loops must be in an unknown phase.
   */
  OverlapSweep(
      ProgramGraph graph, PlacementFacts placement, ViewFamilies views, Violations violations) {
    this.program = graph.program();
    this.allocations = placement.allocations();
    this.locations = placement.locations();
    this.exclusive = graph.exclusive();
    this.groups = placement.groups();
    this.views = views;
    this.violations = violations;
  }

  /** Reports all overlaps that nothing allows. */
  void run() {
    IntList overlapping = new IntList();
    for (long event : events()) {
      int allocation = (int) (event & Integer.MAX_VALUE);
      boolean begins = (event & (1L << 31)) != 0;
      if (!begins) {
        locations.release(locations.whole(allocation));
        continue;
      }
      int location = locations.whole(allocation);
      locations.findOverlapping(location, overlapping);
      for (int i = 0; i < overlapping.size(); i++) {
        check(location, overlapping.get(i), (int) (event >>> 32));
      }
      locations.hold(location);
    }
  }

  /**
   * The begins and ends of all live ranges, sorted by point, ends before begins, and allocation, in
   * the bits of a long.
   */
  private long[] events() {
    int count = 0;
    for (int a = 0; a < allocations.size(); a++) {
      count += 2 * allocations.get(a).live().size();
    }
    long[] events = new long[count];
    int next = 0;
    for (int a = 0; a < allocations.size(); a++) {
      for (Interval interval : allocations.get(a).live()) {
        events[next++] = ((long) interval.begin() << 32) | (1L << 31) | a;
        events[next++] = ((long) interval.end() << 32) | a;
      }
    }
    Arrays.sort(events);
    return events;
  }

  private void check(int a, int b, int point) {
    int v = locations.get(a).variable();
    int w = locations.get(b).variable();
    if (v != w
        && meet(a, b, point)
        && !groups.areSame(v, w)
        && !exclusive.areExclusive(v, w)
        && !views.mayOverlap(a, b)) {
      violations.add(
          program.variable(v),
          "overlaps "
              + Violations.quote(program, w)
              + " in time and bytes from point "
              + point
              + " on");
    }
  }

  /**
   * Whether the two locations have bytes in common at the same time, and not only in different
   * iterations.
   */
  private boolean meet(int a, int b, int point) {
    if (locations.get(a).isFixed() && locations.get(b).isFixed()) {
      return true;
    }
    int end =
        Math.min(
            allocations.endAt(locations.get(a).variable(), point),
            allocations.endAt(locations.get(b).variable(), point));
    return locations.meet(a, b, end);
  }
}
