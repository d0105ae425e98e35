package dev.sublet.codec.table;

import com.google.common.collect.ImmutableList;
import dev.sublet.plan.Alias;
import dev.sublet.plan.Allocation;
import dev.sublet.program.VariableId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Finds the allocations of an arena that must keep their distances when another planner places
 * them.
 *
 * <p>Two rules tie allocations into one buffer. The first ties the two variables of an alias if
 * they lie as the alias states. The second is repeated until nothing changes: it ties two buffers
 * if, at a time at which both are live, one has bytes between the lowest and the highest live byte
 * of the other. The second rule ties allocations that share bytes without a declared alias, and
 * allocations in a hole of another buffer, since a table cannot express holes.
 *
 * <p>So the segments of the resulting buffers are disjoint in the given plan. Every other placement
 * in which they are disjoint, at multiples of the alignment, is as right as the given plan. The
 * reason is that two allocations share a byte at one time only if they are in one buffer. Their
 * distance is then unchanged, so whatever allowed them to share the byte still does: a copy that
 * the operator does not have to make, a runtime that shares buffers, or branches of which only one
 * runs.
 *
 * <p>The same holds for outputs in place. The time of the output begins where the time of the input
 * ends, so by time alone the two might overlap in part, which no operator tolerates. But a plan
 * ends the input's time that early only for its in-place pairs, and these are aliases. Nothing else
 * in a plan for the sequential order depends on the places of allocations.
 *
 * <p>Not checked: that the plan is right and that it declares its aliases, as the plans of Sublet's
 * planners do.
 */
final class TiedBuffers {

  private static final long BEGINS = 1L << 31;

  private final List<Allocation> allocations;
  private final long alignment;

  /**
   * A union-find forest: for each allocation an earlier one of the same buffer, or itself if it is
   * the first.
   */
  private final int[] parent;

  private TiedBuffers(List<Allocation> allocations, long alignment) {
    this.allocations = allocations;
    this.alignment = alignment;
    this.parent = new int[allocations.size()];
    Arrays.setAll(parent, i -> i);
  }

  /**
   * Returns the buffers, ordered by their first allocation. O(n log n) per round for n live
   * intervals; there are at most as many rounds as buffers, and few for the plans of planners.
   *
   * @param allocations the allocations of one arena; none of them is moved by loops, empty or never
   *     live
   */
  static ImmutableList<TiedBuffer> of(
      List<Allocation> allocations, List<Alias> aliases, long alignment) {
    TiedBuffers ties = new TiedBuffers(allocations, alignment);
    ties.tieAliases(aliases);
    ImmutableList<TiedBuffer> buffers = ties.buffers();
    while (ties.tieEntangled(buffers)) {
      buffers = ties.buffers();
    }
    return buffers;
  }

  private void tieAliases(List<Alias> aliases) {
    Map<VariableId, Map<Long, Integer>> byOffset = firstByOffset(aliases);
    Map<Long, Integer> none = new HashMap<>();
    for (Alias alias : aliases) {
      Map<Long, Integer> others = byOffset.getOrDefault(alias.of(), none);
      byOffset
          .getOrDefault(alias.variable(), none)
          .forEach(
              (offset, i) -> {
                Integer other = others.get(offset - alias.offset());
                if (other != null) {
                  tie(i, other);
                }
              });
    }
  }

  /**
   * Returns the first allocation at each offset for every variable of an alias, and ties it to the
   * others at that offset, because an alias does not state which of them it means.
   */
  private Map<VariableId, Map<Long, Integer>> firstByOffset(List<Alias> aliases) {
    Map<VariableId, Map<Long, Integer>> byOffset = new HashMap<>();
    for (Alias alias : aliases) {
      byOffset.put(alias.variable(), new HashMap<>());
      byOffset.put(alias.of(), new HashMap<>());
    }
    for (int i = 0; i < allocations.size(); i++) {
      Map<Long, Integer> own = byOffset.get(allocations.get(i).variable());
      Integer first = own == null ? null : own.putIfAbsent(allocations.get(i).offset(), i);
      if (first != null) {
        tie(first, i);
      }
    }
    return byOffset;
  }

  private ImmutableList<TiedBuffer> buffers() {
    List<List<Allocation>> members = new ArrayList<>();
    int[] indices = new int[parent.length];
    for (int i = 0; i < parent.length; i++) {
      if (root(i) == i) {
        indices[i] = members.size();
        members.add(new ArrayList<>());
      }
      members.get(indices[root(i)]).add(allocations.get(i));
    }
    ImmutableList.Builder<TiedBuffer> buffers = ImmutableList.builder();
    for (List<Allocation> each : members) {
      buffers.add(TiedBuffer.of(each, alignment));
    }
    return buffers.build();
  }

  /** Ties buffers whose segments overlap. Returns whether there were any. */
  private boolean tieEntangled(ImmutableList<TiedBuffer> buffers) {
    List<TiedBuffer.Segment> segments = new ArrayList<>();
    List<Integer> roots = new ArrayList<>();
    int next = 0;
    for (TiedBuffer buffer : buffers) {
      while (root(next) != next) {
        next++;
      }
      for (TiedBuffer.Segment segment : buffer.segments()) {
        segments.add(segment);
        roots.add(next);
      }
      next++;
    }
    boolean tied = false;
    TreeMap<Long, Integer> held = new TreeMap<>();
    List<int[]> ties = new ArrayList<>();
    for (long event : events(segments)) {
      int i = (int) (event & (BEGINS - 1));
      TiedBuffer.Segment segment = segments.get(i);
      if ((event & BEGINS) == 0) {
        held.remove(segment.low(), i);
        continue;
      }
      Map.Entry<Long, Integer> before = held.lowerEntry(segment.high());
      if (before != null && segments.get(before.getValue()).high() > segment.low()) {
        // This segment is not added, so that the segments in "held" stay disjoint. The next round
        // finds the segments that overlap only this one.
        ties.add(new int[] {roots.get(i), roots.get(before.getValue())});
        tied = true;
      } else {
        held.put(segment.low(), i);
      }
    }
    for (int[] pair : ties) {
      tie(pair[0], pair[1]);
    }
    return tied;
  }

  /** The beginnings and ends of the segments in order of time; at one point, ends come first. */
  private static long[] events(List<TiedBuffer.Segment> segments) {
    long[] events = new long[2 * segments.size()];
    for (int i = 0; i < segments.size(); i++) {
      events[2 * i] = (long) segments.get(i).begin() << 32 | BEGINS | i;
      events[2 * i + 1] = (long) segments.get(i).end() << 32 | i;
    }
    Arrays.sort(events);
    return events;
  }

  private int root(int i) {
    while (parent[i] != i) {
      parent[i] = parent[parent[i]];
      i = parent[i];
    }
    return i;
  }

  private void tie(int a, int b) {
    int first = Math.min(root(a), root(b));
    int second = Math.max(root(a), root(b));
    parent[second] = first;
  }
}
