package dev.sublet.loop.unroll;

import dev.sublet.cfg.Region;
import dev.sublet.program.Operation;
import dev.sublet.program.OperationBuilder;

/**
 * The operators that an unrolled program has around the copies of a loop's body. They depend on the
 * purpose of the program: {@link ExecutionForm} is for running, {@link PlanningForm} for planning.
 */
interface LoopForm {

  /** Makes the form for one program. */
  interface Maker {
    LoopForm make(UnrollLoops unroll);
  }

  /** Writes the operators before a loop. */
  void beforeLoop(Region loop, int block, CopyContext context);

  /**
   * Returns the operator that runs a copy of the body if the loop goes on.
   *
   * @param around the block that gets the operator
   * @param block the block that the operator runs
   * @param context the copy
   */
  OperationBuilder entry(Region loop, int around, int block, CopyContext context);

  /**
   * Returns the operator that runs a variant of a loop.
   *
   * @param block the block that the operator runs
   * @param isLast whether this is the last variant of the loop
   * @param outer the copy around the loop
   */
  OperationBuilder variant(Region loop, int block, boolean isLast, CopyContext outer);

  /** Writes the operators at the end of a copy, before the entry of the next copy. */
  void endOfCopy(Region loop, int block, CopyContext context);

  /** Adds arguments to the loop's operator once its copies are written. */
  void finishLoop(Region loop, OperationBuilder operator, CopyContext context);

  /** Writes the operators after a loop. */
  void afterLoop(Region loop, int block, CopyContext context);

  /** Writes the replacement of a copy that is not needed any more. */
  void insteadOf(Operation copy, int node, int block, CopyContext context);

  /** Writes the additional operators before an operator. */
  void before(Operation operation, int node, int block, CopyContext context);

  /** Writes the additional operators after an operator. */
  void after(Operation operation, int node, int block, CopyContext context);

  /** Writes the operators at the end of the program. */
  void atEnd(int block, CopyContext context);
}
