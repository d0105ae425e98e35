package dev.sublet.placement.problem;

import java.util.TreeMap;

/** A lower bound on the arena bytes of any placement of a problem. */
public final class LowerBound {

  private LowerBound() {}

  /**
   * Returns the maximum over all points of the bytes that the buffers live there need, and at least
   * the end of the topmost pin and the size of the largest buffer. O(intervals × log).
   *
   * <p>The padding between buffers is included. If the offsets of k buffers are multiples of a
   * common alignment, padding up to the next multiple follows each buffer except the topmost.
   * Together they need the sum of their padded sizes less the largest single padding. If a window
   * does not begin at a multiple of the alignment, no padding is counted.
   */
  public static long of(PlanningProblem problem) {
    long alignment = problem.alignment();
    for (int i = 0; i < problem.intervalCount(); i++) {
      alignment = problem.low(i) % problem.alignment() == 0 ? alignment : 1;
    }
    return Math.max(sweep(problem, alignment), highestPin(problem));
  }

  private static long sweep(PlanningProblem problem, long alignment) {
    int[] ends = problem.intervalsByEnd();
    TreeMap<Long, Integer> paddings = new TreeMap<>();
    long padded = 0;
    long best = 0;
    int ended = 0;
    for (int begun : problem.intervalsByBegin()) {
      for (; problem.end(ends[ended]) <= problem.begin(begun); ended++) {
        long size = problem.bytes(ends[ended]);
        long padding = padding(size, alignment);
        padded -= size + padding;
        paddings.merge(padding, -1, (a, b) -> a + b == 0 ? null : a + b);
      }
      long size = problem.bytes(begun);
      long padding = padding(size, alignment);
      padded = Math.addExact(padded, Math.addExact(size, padding));
      paddings.merge(padding, 1, Integer::sum);
      best = Math.max(best, padded - paddings.lastKey());
    }
    return best;
  }

  private static long padding(long size, long alignment) {
    long remainder = size % alignment;
    return remainder == 0 ? 0 : alignment - remainder;
  }

  /**
   * Returns the larger of the topmost end of a pinned buffer and the largest size: no arena is
   * smaller.
   */
  private static long highestPin(PlanningProblem problem) {
    long highest = 0;
    for (int buffer = 0; buffer < problem.bufferCount(); buffer++) {
      long offset = problem.isPinned(buffer) ? problem.pin(buffer) : 0;
      highest = Math.max(highest, Math.addExact(offset, problem.size(buffer)));
    }
    return highest;
  }
}
