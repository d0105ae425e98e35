package dev.sublet.plan;

/** The orders in which an executor may run the operators of a planned program. */
public enum ExecutionOrder {
  /** One operator after the other, in the order of the program. */
  SEQUENTIAL,
  /**
   * Any order that keeps the data dependences; independent operators may run at the same time. If
   * two operators of a block access a variable, and one of them writes it, the operator that comes
   * first in the block runs first. An operator with a block has the accesses of its block. The
   * iterations of a loop run one after the other.
   */
  PARALLEL
}
