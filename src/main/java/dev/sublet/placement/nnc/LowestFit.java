package dev.sublet.placement.nnc;

import dev.sublet.placement.problem.IntervalIndex;
import dev.sublet.placement.problem.PlanningProblem;
import java.util.Arrays;

/**
 * Finds the offsets that buffers may have between buffers that are already placed. Each pair of a
 * buffer and a placed neighbor forbids an open interval of offsets, which {@link
 * PlanningProblem#clearance} gives. O((1 + neighbors) log n) per query.
 */
final class LowestFit {

  /** The offset of a buffer that is not placed yet. */
  static final long UNPLACED = -1;

  private final PlanningProblem problem;
  private final IntervalIndex index;
  private final int[] seenIn;
  private int round;
  private int[] found = new int[64];
  private long[] lows = new long[64];
  private long[] highs = new long[64];
  private int count;
  private long visits;

  LowestFit(PlanningProblem problem) {
    this.problem = problem;
    this.index = new IntervalIndex(problem);
    this.seenIn = new int[problem.bufferCount()];
  }

  /**
   * Returns the lowest offset at which all buffers of a tuple fit, each at the same offset.
   *
   * @param tuple buffers that do not interfere with each other; their own offsets are ignored
   * @param alignment a number of which the offset must be a multiple
   * @param offsets the offsets of the placed buffers; {@link #UNPLACED} for the others
   */
  long lowest(int[] tuple, long alignment, long[] offsets) {
    forbid(tuple, offsets, Long.MAX_VALUE);
    return lowestAllowed(alignment);
  }

  /**
   * Returns the lowest offset to which a placed buffer can move; its own if there is none below it.
   */
  long drop(int buffer, long[] offsets) {
    forbid(new int[] {buffer}, offsets, offsets[buffer]);
    return Math.min(offsets[buffer], lowestAllowed(problem.alignment(buffer)));
  }

  private long lowestAllowed(long alignment) {
    long offset = 0;
    int begun = 0;
    int ended = 0;
    // An offset is in no interval if as many intervals begin below it as end at or below it.
    while (true) {
      for (; begun < count && lows[begun] < offset; begun++) {}
      for (; ended < count && highs[ended] <= offset; ended++) {}
      if (begun == ended) {
        return offset;
      }
      offset = PlanningProblem.align(highs[ended], alignment);
    }
  }

  /** Returns the offsets from 0 to {@code greatest} at which all buffers of a tuple fit. */
  OffsetRanges ranges(int[] tuple, long greatest, long[] offsets) {
    forbid(tuple, offsets, Long.MAX_VALUE);
    OffsetRanges ranges = new OffsetRanges();
    long offset = 0;
    int begun = 0;
    int ended = 0;
    while (offset <= greatest) {
      for (; begun < count && lows[begun] < offset; begun++) {}
      for (; ended < count && highs[ended] <= offset; ended++) {}
      if (begun > ended) {
        offset = highs[ended];
        continue;
      }
      long last = begun < count ? lows[begun] : greatest;
      ranges.add(offset, Math.min(last, greatest));
      offset = last + 1;
    }
    return ranges;
  }

  /** The number of neighbors examined so far. */
  long visits() {
    return visits;
  }

  /**
   * Lists the forbidden intervals that begin below a limit; begins and ends are sorted separately.
   */
  private void forbid(int[] tuple, long[] offsets, long limit) {
    count = 0;
    for (int buffer : tuple) {
      round++;
      seenIn[buffer] = round;
      for (int i = problem.firstInterval(buffer); i < problem.endInterval(buffer); i++) {
        found = index.collect(problem.begin(i), problem.end(i), found, 0);
        visits += index.hits();
        for (int hit = 0; hit < index.hits(); hit++) {
          int other = found[hit];
          if (seenIn[other] != round && offsets[other] != UNPLACED) {
            seenIn[other] = round;
            forbid(buffer, other, offsets[other], limit);
          }
        }
      }
    }
    Arrays.sort(lows, 0, count);
    Arrays.sort(highs, 0, count);
  }

  private void forbid(int buffer, int other, long offset, long limit) {
    boolean hasWindows = problem.hasWindows();
    long below = hasWindows ? problem.clearance(buffer, other) : problem.size(buffer);
    long above = hasWindows ? problem.clearance(other, buffer) : problem.size(other);
    long low = offset - below;
    long high = offset + above;
    if (low >= high || low >= limit) {
      return;
    }
    if (count == lows.length) {
      lows = Arrays.copyOf(lows, 2 * count);
      highs = Arrays.copyOf(highs, 2 * count);
    }
    lows[count] = low;
    highs[count] = high;
    count++;
  }
}
