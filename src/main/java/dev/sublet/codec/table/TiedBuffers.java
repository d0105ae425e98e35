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
 * Which allocations of an arena keep their distances when another planner places them.
 *
 * <p>Those that an alias is about, where they lie as it says; and further, until nothing changes,
 * the buffers of which one has bytes between the lowest and the highest live byte of the other, at
 * a time at which both are live. The latter ties what shares bytes without being declared, and what
 * lies in a hole of another buffer, for a table knows of no holes.
 *
 * <p>So the stretches of the result are disjoint where they are. And wherever else they are
 * disjoint, at multiples of the alignment, the plan is as right as it was. Two allocations share a
 * byte at one time only if they are in one buffer, and there they lie to each other as before, so
 * whatever allowed them to share it (a copy that the operator does not have to make, a runtime that
 * shares, branches of which one runs) allows it still. The same holds for an output in place, whose
 * time begins where that of the input ends: by time alone the two might overlap in part, which no
 * operator bears; but only for the pairs that a plan has in place does it end the input's time so
 * early, and those are aliases. Nothing else about a plan for the sequential order depends on where
 * something is.
 *
 * <p>Not checked: that the plan is right, and declares its aliases, as the plans of planners do.
 */
final class TiedBuffers {

  private static final long BEGINS = 1L << 31;

  private final List<Allocation> allocations;
  private final long alignment;

  /** Of each allocation one of the same buffer that comes earlier, or itself if it is the first. */
  private final int[] parent;

  private TiedBuffers(List<Allocation> allocations, long alignment) {
    this.allocations = allocations;
    this.alignment = alignment;
    this.parent = new int[allocations.size()];
    Arrays.setAll(parent, i -> i);
  }

  /**
   * The buffers, by their first allocation. O(n log n) for n live intervals a round; there are at
   * most as many rounds as buffers, and few for plans of planners.
   *
   * @param allocations those of one arena, none of them moved by loops, empty or never live
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
   * The first allocation of each variable of an alias at each offset. It is tied to the others
   * there: an alias does not say which of them it means.
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

  /** Ties buffers whose stretches meet; whether there are any. */
  private boolean tieEntangled(ImmutableList<TiedBuffer> buffers) {
    List<TiedBuffer.Stretch> stretches = new ArrayList<>();
    List<Integer> roots = new ArrayList<>();
    int next = 0;
    for (TiedBuffer buffer : buffers) {
      while (root(next) != next) {
        next++;
      }
      for (TiedBuffer.Stretch stretch : buffer.stretches()) {
        stretches.add(stretch);
        roots.add(next);
      }
      next++;
    }
    boolean tied = false;
    TreeMap<Long, Integer> held = new TreeMap<>();
    List<int[]> ties = new ArrayList<>();
    for (long event : events(stretches)) {
      int i = (int) (event & (BEGINS - 1));
      TiedBuffer.Stretch stretch = stretches.get(i);
      if ((event & BEGINS) == 0) {
        held.remove(stretch.low(), i);
        continue;
      }
      Map.Entry<Long, Integer> before = held.lowerEntry(stretch.high());
      if (before != null && stretches.get(before.getValue()).high() > stretch.low()) {
        // It is not held, so that what is stays disjoint: what it alone meets, the next round
        // finds.
        ties.add(new int[] {roots.get(i), roots.get(before.getValue())});
        tied = true;
      } else {
        held.put(stretch.low(), i);
      }
    }
    for (int[] pair : ties) {
      tie(pair[0], pair[1]);
    }
    return tied;
  }

  /** Beginnings and ends in the order of time, at one point ends first. */
  private static long[] events(List<TiedBuffer.Stretch> stretches) {
    long[] events = new long[2 * stretches.size()];
    for (int i = 0; i < stretches.size(); i++) {
      events[2 * i] = (long) stretches.get(i).begin() << 32 | BEGINS | i;
      events[2 * i + 1] = (long) stretches.get(i).end() << 32 | i;
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
