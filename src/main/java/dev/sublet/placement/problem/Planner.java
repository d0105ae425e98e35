package dev.sublet.placement.problem;

import dev.sublet.diag.DiagnosticLog;

/** An algorithm that places the buffers of a problem. Stateless; same problem, same placement. */
public interface Planner {

  /** The name under which the command line knows it. */
  String name();

  /**
   * Places every buffer: at its pin if it has one, else at a multiple of its alignment, such that
   * no two buffers occupy one byte at one point. A fallback to something weaker is logged.
   *
   * @param problem pins do not contradict each other
   */
  Placement place(PlanningProblem problem, PlannerOptions options, DiagnosticLog log);

  /** A placement that is found quickly, to choose between problems; as a rule the placement. */
  default Placement draft(PlanningProblem problem, PlannerOptions options, DiagnosticLog log) {
    return place(problem, options, log);
  }

  /** What this planner makes of its draft, with all that it may spend. */
  default Placement improve(
      PlanningProblem problem, Placement draft, PlannerOptions options, DiagnosticLog log) {
    return draft;
  }
}
