package dev.sublet.placement.cover;

import dev.sublet.diag.DiagnosticLog;
import dev.sublet.placement.problem.BufferOrder;
import dev.sublet.placement.problem.Placement;
import dev.sublet.placement.problem.Planner;
import dev.sublet.placement.problem.PlannerOptions;
import dev.sublet.placement.problem.PlanningProblem;
import java.util.Comparator;

/**
 * Stacks buffers by descending duration, then by descending size, then by index. A baseline: on a
 * chain of equal tensors all durations are equal, and each tensor goes on top of the one before,
 * where two alternating offsets would be enough.
 *
 * <p>The duration of a buffer is the number of points at which it is live. O(intervals × log).
 *
 * <p>Source: seed 004 (LeapMind 2021), "the earlier algorithm".
 */
final class StackPlanner implements Planner {

  static final String NAME = "stack";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Placement place(PlanningProblem problem, PlannerOptions options, DiagnosticLog log) {
    return Placement.of(NAME, problem, Stacking.place(problem, order(problem)));
  }

  private static int[] order(PlanningProblem problem) {
    long[] durations = new long[problem.bufferCount()];
    for (int buffer = 0; buffer < durations.length; buffer++) {
      for (int i = problem.firstInterval(buffer); i < problem.endInterval(buffer); i++) {
        durations[buffer] += problem.end(i) - problem.begin(i);
      }
    }
    return BufferOrder.sort(
        problem,
        Comparator.<Integer>comparingLong(buffer -> -durations[buffer])
            .thenComparingLong(buffer -> -problem.size(buffer)));
  }
}
