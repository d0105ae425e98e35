package dev.sublet.offset;

import com.google.common.collect.ImmutableList;
import dev.sublet.plan.CoveredBytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Finds the time at which the most bytes of an arena are occupied. A byte that several owners
 * share, as views do, counts once. O(n log n) for n stretches.
 */
final class PeakSweep {

  /** A byte range, the time for which it is occupied, and its owner. */
  record Stretch(int owner, long begin, long end, long low, long high) {}

  /**
   * The earliest of the times at which the most bytes are occupied.
   *
   * @param begin its first point
   * @param end the point at which the occupied bytes change
   * @param stretches the occupied byte ranges, the largest first, then by owner
   */
  record Peak(long begin, long end, long bytes, ImmutableList<Stretch> stretches) {}

  private final List<Stretch> stretches;
  private final CoveredBytes occupied;

  private PeakSweep(List<Stretch> stretches) {
    this.stretches = stretches;
    this.occupied = new CoveredBytes(ends(stretches));
  }

  /** Returns the peak of some stretches; at least one. */
  static Peak find(List<Stretch> stretches) {
    return new PeakSweep(stretches).find();
  }

  private static long[] ends(List<Stretch> stretches) {
    long[] ends = new long[2 * stretches.size()];
    for (int i = 0; i < stretches.size(); i++) {
      ends[2 * i] = stretches.get(i).low();
      ends[2 * i + 1] = stretches.get(i).high();
    }
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
        Stretch end = stretches.get(byEnd[ended]);
        occupied.remove(end.low(), end.high());
      }
      occupied.add(stretches.get(byBegin[i]).low(), stretches.get(byBegin[i]).high());
      if (occupied.covered() > best) {
        best = occupied.covered();
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
}
