package dev.sublet.placement.problem;

import java.util.Arrays;
import java.util.TreeMap;

/** Bytes that no placement of a problem's buffers can go below. */
public final class LowerBound {

  private LowerBound() {}

  /**
   * The most bytes that are occupied at one point, padding between them included: of k buffers at
   * offsets that are multiples of a common alignment all but the topmost are followed by padding up
   * to the next multiple, so together they need the sum of their padded bytes less the largest
   * single padding. Where windows begin between multiples, padding is not counted. O(intervals ×
   * log).
   */
  public static long of(PlanningProblem problem) {
    int count = problem.intervalCount();
    long[] starts = new long[count];
    long[] stops = new long[count];
    long alignment = problem.alignment();
    for (int i = 0; i < count; i++) {
      starts[i] = (long) problem.begin(i) << 32 | i;
      stops[i] = (long) problem.end(i) << 32 | i;
      alignment = problem.low(i) % problem.alignment() == 0 ? alignment : 1;
    }
    Arrays.sort(starts);
    Arrays.sort(stops);
    return sweep(problem, alignment, starts, stops);
  }

  private static long sweep(PlanningProblem problem, long alignment, long[] starts, long[] stops) {
    TreeMap<Long, Integer> paddings = new TreeMap<>();
    long padded = 0;
    long best = 0;
    int stop = 0;
    for (long start : starts) {
      int point = (int) (start >>> 32);
      for (; stop < stops.length && (int) (stops[stop] >>> 32) <= point; stop++) {
        long size = bytes(problem, (int) stops[stop]);
        long padding = padding(size, alignment);
        padded -= size + padding;
        paddings.merge(padding, -1, (a, b) -> a + b == 0 ? null : a + b);
      }
      long size = bytes(problem, (int) start);
      long padding = padding(size, alignment);
      padded = Math.addExact(padded, Math.addExact(size, padding));
      paddings.merge(padding, 1, Integer::sum);
      best = Math.max(best, padded - paddings.lastKey());
    }
    return Math.max(best, highestPin(problem));
  }

  private static long bytes(PlanningProblem problem, int interval) {
    return problem.high(interval) - problem.low(interval);
  }

  private static long padding(long size, long alignment) {
    long remainder = size % alignment;
    return remainder == 0 ? 0 : alignment - remainder;
  }

  /** The end of the topmost pinned buffer, and of the largest one: no arena ends before them. */
  private static long highestPin(PlanningProblem problem) {
    long highest = 0;
    for (int buffer = 0; buffer < problem.bufferCount(); buffer++) {
      long offset = problem.isPinned(buffer) ? problem.pin(buffer) : 0;
      highest = Math.max(highest, Math.addExact(offset, problem.size(buffer)));
    }
    return highest;
  }
}
