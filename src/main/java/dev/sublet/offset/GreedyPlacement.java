package dev.sublet.offset;

/**
 * Places buffers one by one, never to move again: the pinned ones first, then the others in an
 * order, each in the gap that a rule picks among those that are free while it is live. A buffer
 * lends its bytes between its intervals and outside its windows.
 *
 * <p>Exact at every scale: no pair of buffers is looked at by itself, see {@link OccupiedBytes}.
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
    OccupiedBytes occupied = new OccupiedBytes(problem);
    for (int buffer = 0; buffer < offsets.length; buffer++) {
      if (problem.isPinned(buffer)) {
        offsets[buffer] = problem.pin(buffer);
        occupied.add(buffer, offsets[buffer]);
      }
    }
    GapSweep sweep = new GapSweep();
    for (int buffer : order) {
      if (!problem.isPinned(buffer)) {
        sweep.clear();
        occupied.collect(buffer, sweep);
        offsets[buffer] = sweep.find(rule, problem.alignment(buffer));
        occupied.add(buffer, offsets[buffer]);
      }
    }
    return offsets;
  }
}
