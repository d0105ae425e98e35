package dev.sublet.offset;

import com.google.common.collect.ImmutableList;
import dev.sublet.plan.CoveredBytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Finds the time at which the most bytes of an arena are occupied. A byte that several owners
 * share, as views do, counts once. O(n log n) for n segments.
 */
final class PeakSweep {

  /** A byte range, the time for which it is occupied, and its owner. */
  record Segment(int owner, long begin, long end, long low, long high) {}

  /**
   * The earliest of the times at which the most bytes are occupied.
   *
   * @param begin its first point
   * @param end the point at which the occupied bytes change
   * @param segments the occupied byte ranges, the largest first, then by owner
   */
  record Peak(long begin, long end, long bytes, ImmutableList<Segment> segments) {}

  private final List<Segment> segments;
  private final CoveredBytes occupied;

  private PeakSweep(List<Segment> segments) {
    this.segments = segments;
    this.occupied = new CoveredBytes(ends(segments));
  }

  /** Returns the peak of some segments; at least one. */
  static Peak find(List<Segment> segments) {
    return new PeakSweep(segments).find();
  }

  private static long[] ends(List<Segment> segments) {
    long[] ends = new long[2 * segments.size()];
    for (int i = 0; i < segments.size(); i++) {
      ends[2 * i] = segments.get(i).low();
      ends[2 * i + 1] = segments.get(i).high();
    }
    return ends;
  }

  private Peak find() {
    Integer[] byBegin = new Integer[segments.size()];
    Integer[] byEnd = new Integer[segments.size()];
    Arrays.setAll(byBegin, i -> i);
    Arrays.setAll(byEnd, i -> i);
    Arrays.sort(byBegin, (a, b) -> Long.compare(segments.get(a).begin(), segments.get(b).begin()));
    Arrays.sort(byEnd, (a, b) -> Long.compare(segments.get(a).end(), segments.get(b).end()));
    long best = -1;
    long bestBegin = 0;
    int ended = 0;
    for (int i = 0; i < byBegin.length; i++) {
      long now = segments.get(byBegin[i]).begin();
      for (; segments.get(byEnd[ended]).end() <= now; ended++) {
        Segment end = segments.get(byEnd[ended]);
        occupied.remove(end.low(), end.high());
      }
      occupied.add(segments.get(byBegin[i]).low(), segments.get(byBegin[i]).high());
      if (occupied.covered() > best) {
        best = occupied.covered();
        bestBegin = now;
      }
    }
    return peakAt(bestBegin, best);
  }

  private Peak peakAt(long begin, long peakBytes) {
    List<Segment> live = new ArrayList<>();
    long end = Long.MAX_VALUE;
    for (Segment segment : segments) {
      if (segment.begin() <= begin && begin < segment.end()) {
        live.add(segment);
        end = Math.min(end, segment.end());
      } else if (segment.begin() > begin) {
        end = Math.min(end, segment.begin());
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
