package dev.sublet.placement.greedy;

import dev.sublet.diag.DiagnosticLog;
import dev.sublet.placement.problem.BufferOrder;
import dev.sublet.placement.problem.Placement;
import dev.sublet.placement.problem.Planner;
import dev.sublet.placement.problem.PlannerOptions;
import dev.sublet.placement.problem.PlanningProblem;
import java.util.Comparator;

/**
 * Places buffers by descending size, each in the smallest gap that is large enough between those
 * that are live with it and placed already; the lowest of equal gaps, above all of them where none
 * is large enough. Equal sizes are taken by first point, then by index.
 *
 * <p>That is TFLite's arena planner ({@code ArenaPlanner::CreateTensorAllocationVector} and {@code
 * SimpleMemoryArena::Allocate}) and section 5.2 of Pisarchyk and Lee, "Efficient Memory Management
 * for Deep Neural Net Inference", 2020. TFLite takes tensors that are live all the time before all
 * others, by index; where they lie makes no difference to it, but it costs padding, so they are
 * buffers like others here. Added here: gaps in live ranges, windows, pins, each buffer's own
 * alignment, 64-bit sizes.
 *
 * <p>O(n√n) and, for each buffer, the gaps that there are while it is live.
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
