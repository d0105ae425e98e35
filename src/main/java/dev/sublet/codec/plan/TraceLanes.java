package dev.sublet.codec.plan;

import com.google.common.collect.ImmutableList;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.Interval;
import dev.sublet.plan.MemoryPlan;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Assigns the allocations of an arena to the tracks on which a trace viewer draws them. A track
 * stands for an address: allocations at one offset are on one track. An allocation that is live at
 * the same time as another one on that track, as aliases are, goes to the first free further track
 * of the offset. The tracks are in the order of the offsets. O(n log n) in the number of intervals.
 */
final class TraceLanes {

  /** A live interval of an allocation and the index of its track, from 0. */
  record Slice(int allocation, Interval live, int lane) {}

  private record Held(int end, int lane) {}

  private final MemoryPlan plan;
  private final List<Slice> slices = new ArrayList<>();
  private final List<String> names = new ArrayList<>();

  private TraceLanes(MemoryPlan plan) {
    this.plan = plan;
  }

  static TraceLanes of(MemoryPlan plan, int arena) {
    TraceLanes lanes = new TraceLanes(plan);
    List<Slice> waiting = new ArrayList<>();
    for (int i = 0; i < plan.allocations().size(); i++) {
      if (plan.allocations().get(i).arena() == arena) {
        for (Interval live : plan.allocations().get(i).live()) {
          waiting.add(new Slice(i, live, -1));
        }
      }
    }
    waiting.sort(
        Comparator.<Slice>comparingLong(slice -> lanes.offset(slice))
            .thenComparingInt(slice -> slice.live().begin())
            .thenComparingInt(Slice::allocation));
    int start = 0;
    for (int i = 1; i <= waiting.size(); i++) {
      if (i == waiting.size() || lanes.offset(waiting.get(i)) != lanes.offset(waiting.get(start))) {
        lanes.place(waiting.subList(start, i));
        start = i;
      }
    }
    return lanes;
  }

  /** Assigns tracks to the slices of one offset, which are sorted by their first point. */
  private void place(List<Slice> atOffset) {
    int first = names.size();
    PriorityQueue<Held> held =
        new PriorityQueue<>(Comparator.comparingInt(Held::end).thenComparingInt(Held::lane));
    PriorityQueue<Integer> free = new PriorityQueue<>();
    for (Slice slice : atOffset) {
      while (!held.isEmpty() && held.element().end() <= slice.live().begin()) {
        free.add(held.remove().lane());
      }
      if (free.isEmpty()) {
        free.add(names.size());
        int further = names.size() - first;
        names.add("offset " + offset(slice) + (further == 0 ? "" : " (" + (further + 1) + ")"));
      }
      int lane = free.remove();
      held.add(new Held(slice.live().end(), lane));
      slices.add(new Slice(slice.allocation(), slice.live(), lane));
    }
  }

  private long offset(Slice slice) {
    Allocation allocation = plan.allocations().get(slice.allocation());
    return allocation.offset();
  }

  /** The names of the tracks, by index. */
  ImmutableList<String> names() {
    return ImmutableList.copyOf(names);
  }

  /** All slices, by offset and then by first point. */
  ImmutableList<Slice> slices() {
    return ImmutableList.copyOf(slices);
  }
}
