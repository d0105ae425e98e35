package dev.sublet.offset;

import java.util.Arrays;
import java.util.TreeMap;

/** Bytes that no placement of a problem's buffers can go below. */
public final class LowerBound {

  private LowerBound() {}

  /**
   * The most bytes that are live at one point, padding between them included: of k buffers at
   * aligned offsets all but the topmost are followed by padding up to the next multiple, so
   * together they need the sum of their padded sizes less the largest single padding. O(intervals ×
   * log).
   */
  public static long of(PlanningProblem problem) {
    int count = problem.intervalCount();
    long[] starts = new long[count];
    long[] stops = new long[count];
    int next = 0;
    for (int buffer = 0; buffer < problem.bufferCount(); buffer++) {
      for (int i = problem.firstInterval(buffer); i < problem.endInterval(buffer); i++) {
        starts[next] = (long) problem.begin(i) << 32 | buffer;
        stops[next] = (long) problem.end(i) << 32 | buffer;
        next++;
      }
    }
    Arrays.sort(starts);
    Arrays.sort(stops);
    return sweep(problem, starts, stops);
  }

  private static long sweep(PlanningProblem problem, long[] starts, long[] stops) {
    TreeMap<Long, Integer> paddings = new TreeMap<>();
    long padded = 0;
    long best = 0;
    int stop = 0;
    for (int start = 0; start < starts.length; start++) {
      int point = (int) (starts[start] >>> 32);
      for (; stop < stops.length && (int) (stops[stop] >>> 32) <= point; stop++) {
        long size = problem.size((int) stops[stop]);
        long padding = problem.align(size) - size;
        padded -= size + padding;
        paddings.merge(padding, -1, (a, b) -> a + b == 0 ? null : a + b);
      }
      long size = problem.size((int) starts[start]);
      long padding = problem.align(size) - size;
      padded = Math.addExact(padded, Math.addExact(size, padding));
      paddings.merge(padding, 1, Integer::sum);
      best = Math.max(best, padded - paddings.lastKey());
    }
    return best;
  }
}
