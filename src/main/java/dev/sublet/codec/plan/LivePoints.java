package dev.sublet.codec.plan;

import com.google.common.collect.ImmutableList;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.CoveredBytes;
import dev.sublet.plan.Interval;
import dev.sublet.plan.MemoryPlan;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The number of live bytes of an arena over time; bytes that several variables share count once.
 */
final class LivePoints {

  /**
   * A change of the number of live bytes.
   *
   * @param point the program point of the change
   * @param bytes the number of live bytes until the next change
   */
  record Change(int point, long bytes) {}

  private record Edge(int point, Allocation allocation, boolean begins) {}

  private LivePoints() {}

  /**
   * Returns the changes in ascending order; the first is at point 0. O(n log n) in the number of
   * intervals.
   */
  static ImmutableList<Change> of(MemoryPlan plan, int arena) {
    List<Edge> edges = new ArrayList<>();
    for (Allocation allocation : plan.allocations()) {
      if (allocation.arena() == arena) {
        for (Interval live : allocation.live()) {
          edges.add(new Edge(live.begin(), allocation, true));
          edges.add(new Edge(live.end(), allocation, false));
        }
      }
    }
    edges.sort(Comparator.comparingInt(Edge::point));
    CoveredBytes covered = new CoveredBytes(ends(edges));
    ImmutableList.Builder<Change> changes = ImmutableList.builder();
    long last = -1;
    int next = 0;
    int point = 0;
    while (true) {
      for (; next < edges.size() && edges.get(next).point() == point; next++) {
        change(covered, edges.get(next));
      }
      if (covered.covered() != last) {
        last = covered.covered();
        changes.add(new Change(point, last));
      }
      if (next == edges.size()) {
        return changes.build();
      }
      point = edges.get(next).point();
    }
  }

  private static void change(CoveredBytes covered, Edge edge) {
    long low = edge.allocation().offset();
    long high = low + edge.allocation().bytes();
    if (edge.begins()) {
      covered.add(low, high);
    } else {
      covered.remove(low, high);
    }
  }

  private static long[] ends(List<Edge> edges) {
    long[] ends = new long[2 * edges.size()];
    for (int i = 0; i < edges.size(); i++) {
      Allocation allocation = edges.get(i).allocation();
      ends[2 * i] = allocation.offset();
      ends[2 * i + 1] = allocation.offset() + allocation.bytes();
    }
    return ends;
  }
}
