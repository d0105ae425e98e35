package dev.sublet.offset;

import dev.sublet.diag.DiagnosticLog;

/** An algorithm that places the buffers of a problem. Deterministic. */
interface Planner {

  /** The name under which the command line knows it. */
  String name();

  /**
   * The offset of each buffer: a multiple of the alignment, such that no two buffers that are live
   * at one point overlap. A fallback to something weaker is logged.
   */
  long[] place(PlanningProblem problem, DiagnosticLog log);
}
