package dev.sublet.placement.greedy;

import dev.sublet.placement.problem.PlanningProblem;

/**
 * Places buffers one by one, never to move again: the pinned ones first, then the others in an
 * order, each in the one of its {@link Gaps} that a rule picks.
 */
final class GreedyPlacement {

  private GreedyPlacement() {}

  /**
   * The offsets of the buffers.
   *
   * @param order all buffers; the pinned ones may be anywhere in it
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
