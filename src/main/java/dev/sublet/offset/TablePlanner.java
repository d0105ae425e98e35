package dev.sublet.offset;

import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.ProgramException;
import dev.sublet.placement.Planners;
import dev.sublet.placement.problem.Placement;
import dev.sublet.placement.problem.PlanningProblem;
import dev.sublet.plan.BufferTable;

/** Plans the arena of a table of buffers: the front door for problems without a program. */
public final class TablePlanner {

  private TablePlanner() {}

  /**
   * Places every row: at its offset if it gives one, else at a multiple of its alignment, such that
   * no two rows occupy one byte at one time. O(n log n) for n rows and gaps, and the planner's
   * cost.
   *
   * @param options whose alignment is that of rows that give none; views and in-place pairs are
   *     nothing to a table
   * @return the offsets, by row
   * @throws ProgramException if the offsets that rows give contradict each other or their
   *     alignment, if it all adds up to too many bytes, or there is no such planner
   */
  public static Placement plan(BufferTable table, OffsetOptions options, DiagnosticLog log) {
    PlanningProblem problem = TableProblem.of(table, options.alignment());
    return Planners.of(options.planner()).place(problem, options.search(), log);
  }
}
