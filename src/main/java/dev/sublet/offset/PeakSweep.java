package dev.sublet.offset;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Finds the time at which the most bytes of an arena are occupied. A byte that several occupy
 * together, as views do, counts once: the sweep keeps the union of the occupied stretches in a
 * segment tree over the bytes at which one begins or ends. O(n log n) for n stretches.
 *
 * <p>Source: Bentley, "Algorithms for Klee's rectangle problems", 1977.
 */
final class PeakSweep {

  /** Some bytes, how long they are occupied, and by whom. */
  record Stretch(int owner, long begin, long end, long low, long high) {}

  /**
   * The earliest of the times at which the most bytes are occupied.
   *
   * @param begin its first point
   * @param end the point at which something changes
   * @param stretches what is occupied, the largest first, then by owner
   */
  record Peak(long begin, long end, long bytes, ImmutableList<Stretch> stretches) {}

  private final List<Stretch> stretches;
  private final long[] bytes;
  private final int leaves;

  /** How many stretches cover all bytes of a tree node, but not all of its parent. */
  private final int[] covers;

  /** How many bytes of a tree node are covered by what lies within it. */
  private final long[] covered;

  private PeakSweep(List<Stretch> stretches) {
    this.stretches = stretches;
    this.bytes = ends(stretches);
    this.leaves = Math.max(1, Integer.highestOneBit(Math.max(1, 2 * bytes.length - 1)));
    this.covers = new int[2 * leaves];
    this.covered = new long[2 * leaves];
  }

  /** The peak of some stretches; at least one. */
  static Peak find(List<Stretch> stretches) {
    return new PeakSweep(stretches).find();
  }

  private static long[] ends(List<Stretch> stretches) {
    long[] ends = new long[2 * stretches.size()];
    for (int i = 0; i < stretches.size(); i++) {
      ends[2 * i] = stretches.get(i).low();
      ends[2 * i + 1] = stretches.get(i).high();
    }
    Arrays.sort(ends);
    return ends;
  }

  private Peak find() {
    Integer[] byBegin = new Integer[stretches.size()];
    Integer[] byEnd = new Integer[stretches.size()];
    Arrays.setAll(byBegin, i -> i);
    Arrays.setAll(byEnd, i -> i);
    Arrays.sort(
        byBegin, (a, b) -> Long.compare(stretches.get(a).begin(), stretches.get(b).begin()));
    Arrays.sort(byEnd, (a, b) -> Long.compare(stretches.get(a).end(), stretches.get(b).end()));
    long best = -1;
    long bestBegin = 0;
    int ended = 0;
    for (int i = 0; i < byBegin.length; i++) {
      long now = stretches.get(byBegin[i]).begin();
      for (; stretches.get(byEnd[ended]).end() <= now; ended++) {
        change(stretches.get(byEnd[ended]), -1);
      }
      change(stretches.get(byBegin[i]), 1);
      if (covered[1] > best) {
        best = covered[1];
        bestBegin = now;
      }
    }
    return peakAt(bestBegin, best);
  }

  private Peak peakAt(long begin, long peakBytes) {
    List<Stretch> live = new ArrayList<>();
    long end = Long.MAX_VALUE;
    for (Stretch stretch : stretches) {
      if (stretch.begin() <= begin && begin < stretch.end()) {
        live.add(stretch);
        end = Math.min(end, stretch.end());
      } else if (stretch.begin() > begin) {
        end = Math.min(end, stretch.begin());
      }
    }
    live.sort(
        (a, b) -> {
          int byBytes = Long.compare(b.high() - b.low(), a.high() - a.low());
          return byBytes != 0 ? byBytes : Integer.compare(a.owner(), b.owner());
        });
    return new Peak(begin, end, peakBytes, ImmutableList.copyOf(live));
  }

  private void change(Stretch stretch, int by) {
    if (stretch.low() < stretch.high()) {
      change(1, 0, leaves, stretch.low(), stretch.high(), by);
    }
  }

  private void change(int node, int first, int width, long low, long high, int by) {
    if (first + 1 >= bytes.length || bytes[first] >= high || byteAt(first + width) <= low) {
      return;
    }
    if (low <= bytes[first] && byteAt(first + width) <= high) {
      covers[node] += by;
    } else {
      change(2 * node, first, width / 2, low, high, by);
      change(2 * node + 1, first + width / 2, width / 2, low, high, by);
    }
    if (covers[node] > 0) {
      covered[node] = byteAt(first + width) - bytes[first];
    } else {
      covered[node] = node < leaves ? covered[2 * node] + covered[2 * node + 1] : 0;
    }
  }

  private long byteAt(int index) {
    return bytes[Math.min(index, bytes.length - 1)];
  }
}
