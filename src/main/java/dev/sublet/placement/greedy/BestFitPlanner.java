package dev.sublet.placement.greedy;

import dev.sublet.diag.DiagnosticLog;
import dev.sublet.placement.problem.BufferOrder;
import dev.sublet.placement.problem.Placement;
import dev.sublet.placement.problem.Planner;
import dev.sublet.placement.problem.PlannerOptions;
import dev.sublet.placement.problem.PlanningProblem;

/**
 * Places buffers in the order of {@link PlannerOptions#order}, each in the smallest gap that is
 * large enough between those that are live with it and placed already; the lowest of equal gaps.
 * Above all of them where no gap is large enough.
 *
 * <p>With {@link BufferOrder#SIZE} and {@link BufferOrder#DURATION} these are the two decreasing
 * best fits of which XLA's heap simulator takes the smaller ({@code
 * GlobalDecreasingSizeBestFitHeap}, spatial: by size, then duration; temporal: by duration, then
 * size; then by identifier, here the first point comes before it). {@link BufferOrder#START} is
 * what an allocator at run time does, and MLIR's and IREE's planners. Added here: gaps in live
 * ranges, windows, pins, each buffer's own alignment.
 *
 * <p>O(n√n) and, for each buffer, the gaps that there are while it is live.
 */
final class BestFitPlanner implements Planner {

  static final String NAME = "best-fit";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Placement place(PlanningProblem problem, PlannerOptions options, DiagnosticLog log) {
    int[] order = options.order().sort(problem);
    return Placement.of(NAME, problem, GreedyPlacement.place(problem, order, FitRule.TIGHTEST));
  }
}
