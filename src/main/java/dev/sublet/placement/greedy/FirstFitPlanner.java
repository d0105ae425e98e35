package dev.sublet.placement.greedy;

import dev.sublet.diag.DiagnosticLog;
import dev.sublet.placement.problem.BufferOrder;
import dev.sublet.placement.problem.Placement;
import dev.sublet.placement.problem.Planner;
import dev.sublet.placement.problem.PlannerOptions;
import dev.sublet.placement.problem.PlanningProblem;

/**
 * Places buffers in the order of {@link PlannerOptions#order}, each at the lowest offset at which
 * it fits between those that are live with it and placed already. O(n√n) as a rule, see {@link
 * OccupiedBytes}.
 *
 * <p>With {@link BufferOrder#SIZE} as the greedy planner of TensorFlow Lite Micro, with {@link
 * BufferOrder#CONFLICTS} as {@code greedy_by_conflicts} of TVM's unified static memory planner,
 * which looks for no gaps below what is placed, however. Here gaps count from offset 0, and gaps in
 * live ranges, windows, pins and each buffer's own alignment are honoured too.
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
