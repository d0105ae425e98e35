package dev.sublet.placement.greedy;

import dev.sublet.placement.problem.PlanningProblem;

/**
 * The gaps that the buffers placed so far leave for another buffer while it is live. The bytes of a
 * placed buffer are free between its intervals and outside its windows. Exact for any number of
 * buffers, because no pairs of buffers are compared, see {@link OccupiedBytes}.
 */
public final class Gaps {

  private final PlanningProblem problem;
  private final FitRule rule;
  private final OccupiedBytes occupied;
  private final GapSweep sweep = new GapSweep();

  /** Creates the gaps of an empty arena. O(n log n) for n intervals. */
  Gaps(PlanningProblem problem, FitRule rule) {
    this.problem = problem;
    this.rule = rule;
    this.occupied = new OccupiedBytes(problem);
  }

  /**
   * Creates the gaps of an empty arena, of which {@link #find} takes the lowest that is large
   * enough. O(n log n) for n intervals.
   */
  public static Gaps lowest(PlanningProblem problem) {
    return new Gaps(problem, FitRule.LOWEST);
  }

  /**
   * Occupies the bytes of a buffer at an offset. Whether these bytes are free is not checked.
   * Changes O(⁴√n) sets of ranges per interval.
   */
  public void take(int buffer, long offset) {
    occupied.add(buffer, offset);
  }

  /**
   * Returns the offset of the best gap for a buffer, or an offset above all others if no gap is
   * large enough. The buffer's pin is ignored. O(√n + ranges passed) per interval.
   */
  public long find(int buffer) {
    sweep.clear();
    occupied.collect(buffer, sweep);
    return sweep.find(rule, problem.alignment(buffer));
  }
}
