package dev.sublet.offset.merge;

import com.google.common.collect.ImmutableList;
import dev.sublet.liveness.LiveRanges;
import dev.sublet.plan.Interval;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * The time for which webs occupy their bytes: as long as they are live, without the last point of
 * an interval at whose end an in-place pair hands the bytes over.
 *
 * <p>It also records which other pairs could free bytes, for bounds that hold whichever pairs are
 * taken.
 */
final class Occupancy {

  private final LiveRanges ranges;

  /** Intervals that end one point earlier because a pair was taken. */
  private final BitSet handedOver = new BitSet();

  /** Intervals whose last point a legal pair would free, though the pair was not taken. */
  private final BitSet couldHandOver = new BitSet();

  /** For the smaller result of a choice between exclusive branches: the larger one's web. */
  private final Map<Integer, Integer> counterparts = new HashMap<>();

  /** Makes the occupancy before any pair is taken. */
  Occupancy(LiveRanges ranges) {
    this.ranges = ranges;
  }

  /** Records that a pair was taken, so that an interval ends one point earlier. */
  void handOver(int interval) {
    handedOver.set(interval);
  }

  /** Whether an interval ends one point earlier because a pair was taken. */
  boolean isHandedOver(int interval) {
    return handedOver.get(interval);
  }

  /** Records that a legal pair was not taken by which an interval would end one point earlier. */
  void couldHandOver(int interval) {
    couldHandOver.set(interval);
  }

  /**
   * Records that a web could share the bytes of a larger one, the result of the opposite branch. Of
   * several larger ones, the first counts.
   */
  void couldLieOn(int web, int larger) {
    counterparts.putIfAbsent(web, larger);
  }

  /** The first point at which an interval's web no longer occupies its bytes. */
  int end(int interval) {
    return ranges.end(interval) - (handedOver.get(interval) ? 1 : 0);
  }

  /** Whether a web occupies its bytes at a point. O(log intervals). */
  boolean isLive(int web, int point) {
    int interval = ranges.intervalAt(web, point);
    return interval >= 0 && point < end(interval);
  }

  /** Whether a web occupies bytes at a point whichever in-place pairs are taken. */
  boolean isSurelyLive(int web, int point) {
    int interval = ranges.intervalAt(web, point);
    return interval >= 0 && point < end(interval) - (couldHandOver.get(interval) ? 1 : 0);
  }

  /**
   * The intervals in which a web occupies its bytes. The source of an in-place pair hands them over
   * at the write point. O(intervals).
   */
  ImmutableList<Interval> intervals(int web) {
    ImmutableList.Builder<Interval> intervals = ImmutableList.builder();
    for (int i = ranges.firstInterval(web); i < ranges.endInterval(web); i++) {
      intervals.add(new Interval(ranges.begin(i), end(i)));
    }
    return intervals.build();
  }

  /**
   * The intervals in which a web surely has bytes of its own, whichever pairs a plan takes. They
   * lack the points at which a legal pair could free the web, and those at which the web could
   * share the bytes of a larger result of the opposite branch. O(intervals).
   */
  ImmutableList<Interval> intervalsForBound(int web) {
    ImmutableList.Builder<Interval> own = ImmutableList.builder();
    int counterpart = counterparts.getOrDefault(web, -1);
    int next = counterpart < 0 ? 0 : ranges.firstInterval(counterpart);
    int stop = counterpart < 0 ? 0 : ranges.endInterval(counterpart);
    for (int i = ranges.firstInterval(web); i < ranges.endInterval(web); i++) {
      boolean freed = couldHandOver.get(i) || handedOver.get(i);
      int begin = ranges.begin(i);
      int end = ranges.end(i) - (freed ? 1 : 0);
      for (; next < stop && ranges.begin(next) < end; next++) {
        if (begin < ranges.begin(next)) {
          own.add(new Interval(begin, ranges.begin(next)));
        }
        begin = Math.max(begin, ranges.end(next));
        if (begin >= end) {
          break;
        }
      }
      if (begin < end) {
        own.add(new Interval(begin, end));
      }
    }
    return own.build();
  }
}
