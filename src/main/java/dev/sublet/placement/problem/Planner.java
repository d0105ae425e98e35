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

  /**
   * The arena with which a draft is good enough, so that no further one is made of these buffers,
   * block by block or merged otherwise; by default the lower bound.
   *
   * @param lowerBound a lower bound of all drafts that could still be made
   */
  default long goalOfDraft(PlanningProblem problem, long lowerBound) {
    return lowerBound;
  }

  /**
   * Improves a draft of this planner until the budget is spent or the gap reached: by one search
   * for each part of the budget (see {@link PlannerOptions#parts}), of which the last one may log.
   */
  default Placement improve(
      PlanningProblem problem, Placement draft, PlannerOptions options, DiagnosticLog log) {
    long start = System.nanoTime();
    Placement best = draft;
    DiagnosticLog last = new DiagnosticLog();
    for (PlannerOptions part : options.parts()) {
      if (!options.gap().accepts(best)) {
        last = new DiagnosticLog();
        long millis = (System.nanoTime() - start) / 1_000_000;
        best = search(problem, best, part.afterMillis(millis), last);
      }
    }
    log.addAll(last);
    return best;
  }

  /**
   * Improves a placement by one search, which may spend the whole budget; by default returns the
   * placement.
   */
  default Placement search(
      PlanningProblem problem, Placement known, PlannerOptions options, DiagnosticLog log) {
    return known;
  }
}
