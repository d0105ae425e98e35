package dev.sublet.placement.greedy;

import dev.sublet.diag.DiagnosticLog;
import dev.sublet.placement.problem.BufferOrder;
import dev.sublet.placement.problem.Placement;
import dev.sublet.placement.problem.Planner;
import dev.sublet.placement.problem.PlannerOptions;
import dev.sublet.placement.problem.PlanningProblem;
import java.util.Comparator;

/**
 * Places buffers by descending size, each in the smallest gap that is large enough, between the
 * buffers that are live with it and already placed. Of equal gaps it takes the lowest. If no gap is
 * large enough, the buffer goes above all of them. Equal sizes are taken by first point, then by
 * index.
 *
 * <p>This is TFLite's arena planner ({@code ArenaPlanner::CreateTensorAllocationVector} and {@code
 * SimpleMemoryArena::Allocate}) and section 5.2 of Pisarchyk and Lee, "Efficient Memory Management
 * for Deep Neural Net Inference", 2020. TFLite places tensors that are live all the time before all
 * others, by index. That order makes no difference to the other tensors but costs padding, so such
 * tensors are ordinary buffers here. Added here: gaps in live ranges, windows, pins, each buffer's
 * own alignment, 64-bit sizes.
 *
 * <p>Takes O(n√n) and, for each buffer, time linear in the gaps that exist while it is live.
 */
final class GreedyBySizePlanner implements Planner {

  static final String NAME = "greedy-size";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Placement place(PlanningProblem problem, PlannerOptions options, DiagnosticLog log) {
    int[] order = order(problem);
    return Placement.of(NAME, problem, GreedyPlacement.place(problem, order, FitRule.TIGHTEST));
  }

  private static int[] order(PlanningProblem problem) {
    return BufferOrder.sort(
        problem,
        Comparator.<Integer>comparingLong(buffer -> -problem.size(buffer))
            .thenComparingInt(problem::firstPoint));
  }
}
