package dev.sublet.placement.greedy;

import dev.sublet.placement.problem.PlanningProblem;

/**
 * What the buffers placed so far leave free for another one while it is live. A buffer lends its
 * bytes between its intervals and outside its windows. Exact at every scale: no pair of buffers is
 * looked at by itself, see {@link OccupiedBytes}.
 */
public final class Gaps {

  private final PlanningProblem problem;
  private final FitRule rule;
  private final OccupiedBytes occupied;
  private final GapSweep sweep = new GapSweep();

  /** Everything is free. O(n log n) for n intervals. */
  Gaps(PlanningProblem problem, FitRule rule) {
    this.problem = problem;
    this.rule = rule;
    this.occupied = new OccupiedBytes(problem);
  }

  /** Gaps of which the lowest that is large enough is taken. O(n log n) for n intervals. */
  public static Gaps lowest(PlanningProblem problem) {
    return new Gaps(problem, FitRule.LOWEST);
  }

  /**
   * Takes the bytes of a buffer at an offset; which are free is not checked. O(⁴√n) sets of
   * stretches an interval.
   */
  public void take(int buffer, long offset) {
    occupied.add(buffer, offset);
  }

  /**
   * The offset of the gap that a buffer is to take, or behind all others; pins are not looked at.
   * O(√n + stretches passed) an interval.
   */
  public long find(int buffer) {
    sweep.clear();
    occupied.collect(buffer, sweep);
    return sweep.find(rule, problem.alignment(buffer));
  }
}
