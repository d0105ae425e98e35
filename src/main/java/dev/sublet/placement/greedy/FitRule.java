package dev.sublet.placement.greedy;

/** Which of the gaps between others a buffer takes. */
enum FitRule {
  /** The lowest that is large enough. */
  LOWEST,
  /**
   * The one in which the fewest bytes are left over, the lowest of equals; above all others only if
   * there is none.
   */
  TIGHTEST
}
