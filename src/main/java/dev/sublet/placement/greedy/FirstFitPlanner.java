package dev.sublet.placement.greedy;

import dev.sublet.diag.DiagnosticLog;
import dev.sublet.placement.problem.BufferOrder;
import dev.sublet.placement.problem.Placement;
import dev.sublet.placement.problem.Planner;
import dev.sublet.placement.problem.PlannerOptions;
import dev.sublet.placement.problem.PlanningProblem;

/**
 * Places buffers in the order of {@link PlannerOptions#order}, each at the lowest offset at which
 * it fits between the buffers that are live with it and already placed. Usually O(n√n), see {@link
 * OccupiedBytes}.
 *
 * <p>With {@link BufferOrder#SIZE} this is the greedy planner of TensorFlow Lite Micro. With {@link
 * BufferOrder#CONFLICTS} it is {@code greedy_by_conflicts} of TVM's unified static memory planner,
 * except that TVM looks for no gaps below the buffers already placed. Here the gap at offset 0
 * counts too. Gaps in live ranges, windows, pins and each buffer's own alignment are also
 * respected.
 */
final class FirstFitPlanner implements Planner {

  static final String NAME = "first-fit";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Placement place(PlanningProblem problem, PlannerOptions options, DiagnosticLog log) {
    int[] order = options.order().sort(problem);
    return Placement.of(NAME, problem, GreedyPlacement.place(problem, order, FitRule.LOWEST));
  }
}
