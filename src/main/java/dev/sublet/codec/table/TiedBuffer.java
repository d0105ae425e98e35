package dev.sublet.codec.table;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.Interval;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/**
 * Allocations of one arena that keep their distances: to a planner that knows nothing of aliases
 * they are one buffer.
 *
 * @param members the allocations, in the plan's order
 * @param base the last multiple of the arena's alignment up to the lowest byte of them: where the
 *     buffer begins
 * @param size from there to their highest byte
 * @param stretches which bytes of the arena it occupies when; ascending, disjoint; within one, from
 *     the lowest to the highest byte of the members that are live
 */
record TiedBuffer(
    ImmutableList<Allocation> members, long base, long size, ImmutableList<Stretch> stretches) {

  /** From one point on and before another all bytes from low on and before high. */
  record Stretch(int begin, int end, long low, long high) {}

  private record Edge(int point, Allocation allocation, boolean begins) {}

  /** The buffer of some allocations. O(n log n) for n live intervals. */
  static TiedBuffer of(List<Allocation> members, long alignment) {
    long low = Long.MAX_VALUE;
    long high = 0;
    for (Allocation member : members) {
      low = Math.min(low, member.offset());
      high = Math.max(high, member.offset() + member.bytes());
    }
    long base = low - low % alignment;
    return new TiedBuffer(ImmutableList.copyOf(members), base, high - base, stretches(members));
  }

  /** The first point. */
  int lower() {
    return stretches.get(0).begin();
  }

  /** The first point after it. */
  int upper() {
    return stretches.get(stretches.size() - 1).end();
  }

  private static ImmutableList<Stretch> stretches(List<Allocation> members) {
    List<Edge> edges = edges(members);
    TreeMap<Long, Integer> lows = new TreeMap<>();
    TreeMap<Long, Integer> highs = new TreeMap<>();
    List<Stretch> stretches = new ArrayList<>();
    int next = 0;
    while (next < edges.size()) {
      int point = edges.get(next).point();
      for (; next < edges.size() && edges.get(next).point() == point; next++) {
        Edge edge = edges.get(next);
        long low = edge.allocation().offset();
        count(lows, low, edge.begins());
        count(highs, low + edge.allocation().bytes(), edge.begins());
      }
      if (!lows.isEmpty()) {
        append(
            stretches,
            new Stretch(point, edges.get(next).point(), lows.firstKey(), highs.lastKey()));
      }
    }
    return ImmutableList.copyOf(stretches);
  }

  private static List<Edge> edges(List<Allocation> members) {
    List<Edge> edges = new ArrayList<>();
    for (Allocation member : members) {
      for (Interval live : member.live()) {
        edges.add(new Edge(live.begin(), member, true));
        edges.add(new Edge(live.end(), member, false));
      }
    }
    return edges.stream().sorted(Comparator.comparingInt(Edge::point)).collect(toImmutableList());
  }

  /** At one point an interval may end before the one that begins there is counted, or after. */
  private static void count(TreeMap<Long, Integer> counts, long key, boolean begins) {
    int count = counts.merge(key, begins ? 1 : -1, Integer::sum);
    if (count == 0) {
      counts.remove(key);
    }
  }

  private static void append(List<Stretch> stretches, Stretch stretch) {
    int last = stretches.size() - 1;
    if (last >= 0) {
      Stretch before = stretches.get(last);
      if (before.end() == stretch.begin()
          && before.low() == stretch.low()
          && before.high() == stretch.high()) {
        stretches.set(
            last, new Stretch(before.begin(), stretch.end(), before.low(), before.high()));
        return;
      }
    }
    stretches.add(stretch);
  }
}
