package dev.sublet.placement.problem;

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
