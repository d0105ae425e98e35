package dev.sublet.placement.problem;

import dev.sublet.diag.DiagnosticLog;

/**
 * An algorithm that places the buffers of a problem. Stateless; deterministic except where a search
 * reaches its time limit.
 */
public interface Planner {

  /** The name of the planner on the command line. */
  String name();

  /**
   * Places every buffer: at its pin if it has one, else at a multiple of its alignment. No two
   * buffers occupy the same byte at the same point. A fallback to a weaker algorithm is logged.
   *
   * @param problem a problem whose pins do not contradict each other
   */
  Placement place(PlanningProblem problem, PlannerOptions options, DiagnosticLog log);

  /**
   * Finds a placement quickly, for a choice between several problems; by default as {@link #place}.
   */
  default Placement draft(PlanningProblem problem, PlannerOptions options, DiagnosticLog log) {
    return place(problem, options, log);
  }

  /** Improves a draft of this planner with the whole budget; by default returns the draft. */
  default Placement improve(
      PlanningProblem problem, Placement draft, PlannerOptions options, DiagnosticLog log) {
    return draft;
  }
}
