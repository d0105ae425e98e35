package dev.sublet.placement.greedy;

import dev.sublet.placement.problem.PlanningProblem;

/**
 * Places buffers one by one and never moves them again: first the pinned buffers, then the others
 * in a given order. Each buffer goes into the gap that a rule picks from its {@link Gaps}.
 */
final class GreedyPlacement {

  private GreedyPlacement() {}

  /**
   * Returns the offsets of the buffers.
   *
   * @param order all buffers, with the pinned ones at any position
   */
  static long[] place(PlanningProblem problem, int[] order, FitRule rule) {
    long[] offsets = new long[problem.bufferCount()];
    Gaps gaps = new Gaps(problem, rule);
    for (int buffer = 0; buffer < offsets.length; buffer++) {
      if (problem.isPinned(buffer)) {
        offsets[buffer] = problem.pin(buffer);
        gaps.take(buffer, offsets[buffer]);
      }
    }
    for (int buffer : order) {
      if (!problem.isPinned(buffer)) {
        offsets[buffer] = gaps.find(buffer);
        gaps.take(buffer, offsets[buffer]);
      }
    }
    return offsets;
  }
}
