package dev.sublet.loop;

/**
 * The treatment of loop-carried copies: the copies with which loops hand values to their next
 * iteration.
 */
public enum LoopMode {
  /** All copies stay. */
  COPY,
  /**
   * Copies between variables that are never needed at the same time go: the two variables get one
   * name in the program. In plans, the other variables move from slot to slot with the iterations,
   * see {@link dev.sublet.plan.MultiView}.
   */
  MULTIVIEW,
  /**
   * As {@link #MULTIVIEW}, but a plan never needs more bytes than with copies: in a loop for which
   * copies take fewer bytes, nothing moves.
   */
  SMALLEST,
  /**
   * The program's loop bodies are repeated until no variable has to move, for runtimes without
   * views; see {@code UnrolledProgram}.
   */
  UNROLL
}
