package dev.sublet.loop;

/** What is done about the copies with which loops hand values to their next iteration. */
public enum LoopMode {
  /** They stay. */
  COPY,
  /**
   * Variables that are never needed at the same time get one name in the program; in plans the
   * others move from iteration to iteration, see {@link dev.sublet.plan.MultiView}.
   */
  MULTIVIEW,
  /**
   * As {@link #MULTIVIEW}, but a plan never needs more bytes than it would with copies: nothing
   * moves in loops for which that takes fewer bytes.
   */
  SMALLEST,
  /**
   * The program's loops are repeated until nothing has to move, for runtimes that know no views;
   * see {@link UnrolledProgram}.
   */
  UNROLL
}
