package dev.sublet.placement.greedy;

import dev.sublet.diag.DiagnosticLog;
import dev.sublet.placement.problem.BufferOrder;
import dev.sublet.placement.problem.Placement;
import dev.sublet.placement.problem.Planner;
import dev.sublet.placement.problem.PlannerOptions;
import dev.sublet.placement.problem.PlanningProblem;

/**
 * Places buffers in the order of {@link PlannerOptions#order}, each in the smallest gap that is
 * large enough, between the buffers that are live with it and already placed. Of equal gaps it
 * takes the lowest. If no gap is large enough, the buffer goes above all of them.
 *
 * <p>{@link BufferOrder#SIZE} and {@link BufferOrder#DURATION} give the two decreasing best fits of
 * which XLA's heap simulator takes the smaller ({@code GlobalDecreasingSizeBestFitHeap}; spatial:
 * by size, then duration; temporal: by duration, then size). XLA breaks ties by identifier; here
 * the first point comes before the index. {@link BufferOrder#START} gives what an allocator at run
 * time does, as do the planners of MLIR and IREE. Added here: gaps in live ranges, windows, pins,
 * each buffer's own alignment.
 *
 * <p>Takes O(n√n) and, for each buffer, time linear in the gaps that exist while it is live.
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
