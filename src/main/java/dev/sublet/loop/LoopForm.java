package dev.sublet.loop;

import dev.sublet.cfg.Region;
import dev.sublet.program.Operation;
import dev.sublet.program.OperationBuilder;

/** What is written around the copies of a loop's body; differs with what the program is for. */
interface LoopForm {

  /** Makes the form for one program. */
  interface Maker {
    LoopForm make(UnrollLoops unroll);
  }

  /** Writes what comes before a loop. */
  void beforeLoop(Region loop, int block, CopyContext context);

  /**
   * The operator that runs a copy of the body if the loop goes on.
   *
   * @param around the block that gets the operator
   * @param block the block that it runs
   * @param context the copy
   */
  OperationBuilder entry(Region loop, int around, int block, CopyContext context);

  /** Writes what comes at the end of a copy, before the entry of the next one. */
  void endOfCopy(Region loop, int block, CopyContext context);

  /** Adds to the loop's operator, once its copies are written. */
  void finishLoop(Region loop, OperationBuilder operator, CopyContext context);

  /** Writes what comes behind a loop. */
  void afterLoop(Region loop, int block, CopyContext context);

  /** Writes what stands for a copy that is not needed any more. */
  void insteadOf(Operation copy, int node, int block, CopyContext context);

  /** Writes what comes before an operator. */
  void before(Operation operation, int node, int block, CopyContext context);

  /** Writes what comes behind an operator. */
  void after(Operation operation, int node, int block, CopyContext context);

  /** Writes what comes at the end of the program. */
  void atEnd(int block, CopyContext context);
}
