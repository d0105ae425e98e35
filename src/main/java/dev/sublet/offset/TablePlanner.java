package dev.sublet.offset;

import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.ProgramException;
import dev.sublet.placement.Planners;
import dev.sublet.placement.problem.CanonicalOrder;
import dev.sublet.placement.problem.Gap;
import dev.sublet.placement.problem.Placement;
import dev.sublet.placement.problem.Planner;
import dev.sublet.placement.problem.PlannerOptions;
import dev.sublet.placement.problem.PlanningProblem;
import dev.sublet.plan.BufferTable;

/** Plans the arena of a table of buffers: the entry point for problems without a program. */
public final class TablePlanner {

  private TablePlanner() {}

  /**
   * Places every row: at its given offset, if it has one, else at a multiple of its alignment. No
   * two rows occupy one byte at one time. The arena does not depend on the order of the rows. O(n
   * log n) for n rows and gaps, and the planner's cost.
   *
   * @param options the options; their alignment applies to rows without one of their own, and views
   *     and in-place pairs have no meaning for a table
   * @return the offsets, by row
   * @throws ProgramException if the given offsets contradict each other or their alignment, if all
   *     rows together need too many bytes, or if there is no such planner
   */
  public static Placement plan(BufferTable table, OffsetOptions options, DiagnosticLog log) {
    PlanningProblem problem = TableProblem.of(table, options.alignment());
    // Shuffled rows are the same problem, so they get the same arena.
    CanonicalOrder canonical = CanonicalOrder.of(problem);
    Planner planner = Planners.of(options.planner());
    Placement placement = planner.place(canonical.sorted(), options.search(), log);
    if (!options.search().gap().isNone() && placement.arenaBytes() > options.capacity()) {
      PlannerOptions exact = options.search().withGap(Gap.NONE);
      placement = planner.improve(canonical.sorted(), placement, exact, log);
    }
    return canonical.restore(placement);
  }
}
