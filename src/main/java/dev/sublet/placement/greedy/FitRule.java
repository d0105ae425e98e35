package dev.sublet.placement.greedy;

/** The rule by which a buffer chooses one of the gaps between other buffers. */
enum FitRule {
  /** The lowest gap that is large enough. */
  LOWEST,
  /**
   * The gap in which the fewest bytes are left over; of equal ones, the lowest. The space above all
   * other buffers is used only if no gap is large enough.
   */
  TIGHTEST
}
