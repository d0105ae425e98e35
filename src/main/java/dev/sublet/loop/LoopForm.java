package dev.sublet.loop;

import dev.sublet.cfg.Region;
import dev.sublet.program.Operation;
import dev.sublet.proto.BlockDesc;
import dev.sublet.proto.OpDesc;

/** What is written around the copies of a loop's body; differs with what the program is for. */
interface LoopForm {

  /** Makes the form for one program. */
  interface Maker {
    LoopForm make(UnrollLoops unroll);
  }

  /** Writes what comes before a loop. */
  void beforeLoop(Region loop, BlockDesc.Builder block, CopyContext context);

  /** The loop's operator, once its copies are written. */
  OpDesc loop(Region loop, OpDesc operator, CopyContext context);

  /**
   * The operator that runs a copy of the body if the loop goes on.
   *
   * @param around the block that gets the operator
   * @param block the block that it runs
   */
  OpDesc entry(Region loop, BlockDesc.Builder around, int block, CopyContext context);

  /** Writes what comes at the end of a copy, before the entry of the next one. */
  void endOfCopy(Region loop, BlockDesc.Builder block, CopyContext context);

  /** Writes what comes behind a loop. */
  void afterLoop(Region loop, BlockDesc.Builder block, CopyContext context);

  /** Writes what comes at the end of the program. */
  void atEnd(BlockDesc.Builder block, CopyContext context);

  /** Writes what comes behind an operator. */
  void after(Operation operation, int node, BlockDesc.Builder block, CopyContext context);
}
