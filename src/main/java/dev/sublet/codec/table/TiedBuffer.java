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
 * Allocations of one arena that keep their distances. A planner that does not support aliases
 * treats them as one buffer.
 *
 * @param members the allocations, in the plan's order
 * @param base the offset of the buffer: the largest multiple of the arena's alignment that is not
 *     above the lowest byte of the members
 * @param size the number of bytes from the base to the end of the highest member
 * @param segments the times and bytes that the buffer occupies; ascending, with disjoint times; in
 *     each of them, the bytes from the lowest to the highest byte of the live members
 */
record TiedBuffer(
    ImmutableList<Allocation> members, long base, long size, ImmutableList<Segment> segments) {

  /**
   * A range of time and bytes: the points from {@code begin} to before {@code end} and the bytes
   * from {@code low} to before {@code high}.
   */
  record Segment(int begin, int end, long low, long high) {}

  private record Edge(int point, Allocation allocation, boolean begins) {}

  /** Returns the buffer of some allocations. O(n log n) for n live intervals. */
  static TiedBuffer of(List<Allocation> members, long alignment) {
    long low = Long.MAX_VALUE;
    long high = 0;
    for (Allocation member : members) {
      low = Math.min(low, member.offset());
      high = Math.max(high, member.offset() + member.bytes());
    }
    long base = low - low % alignment;
    return new TiedBuffer(ImmutableList.copyOf(members), base, high - base, segments(members));
  }

  /** The first point at which the buffer is live. */
  int lower() {
    return segments.get(0).begin();
  }

  /** The first point after the buffer's last live point. */
  int upper() {
    return segments.get(segments.size() - 1).end();
  }

  private static ImmutableList<Segment> segments(List<Allocation> members) {
    List<Edge> edges = edges(members);
    TreeMap<Long, Integer> lows = new TreeMap<>();
    TreeMap<Long, Integer> highs = new TreeMap<>();
    List<Segment> segments = new ArrayList<>();
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
            segments,
            new Segment(point, edges.get(next).point(), lows.firstKey(), highs.lastKey()));
      }
    }
    return ImmutableList.copyOf(segments);
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

  /**
   * Adds to or removes from a multiset. A count may be negative for a moment, because the ends and
   * beginnings at one point come in any order.
   */
  private static void count(TreeMap<Long, Integer> counts, long key, boolean begins) {
    int count = counts.merge(key, begins ? 1 : -1, Integer::sum);
    if (count == 0) {
      counts.remove(key);
    }
  }

  private static void append(List<Segment> segments, Segment segment) {
    int last = segments.size() - 1;
    if (last >= 0) {
      Segment before = segments.get(last);
      if (before.end() == segment.begin()
          && before.low() == segment.low()
          && before.high() == segment.high()) {
        segments.set(last, new Segment(before.begin(), segment.end(), before.low(), before.high()));
        return;
      }
    }
    segments.add(segment);
  }
}
