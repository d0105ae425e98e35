package dev.sublet.plan;

/** In which order an executor may run the operators of a program whose arenas are planned. */
public enum ExecutionOrder {
  /** One after the other, as the program lists them. */
  SEQUENTIAL,
  /**
   * In any order, and at the same time, that keeps the data dependences: of two operators of a
   * block that access a variable, one of them writing, the first one listed runs first. An operator
   * with a block accesses what its block does; the iterations of a loop follow each other.
   */
  PARALLEL
}
