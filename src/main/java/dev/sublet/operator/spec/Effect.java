package dev.sublet.operator.spec;

/** What an operator does to a variable in one of its output slots. */
public enum Effect {
  /** Writes the whole variable, always: the value from before is gone. */
  MUST_WRITE,
  /** Writes the variable, part of it, or nothing: the value from before may remain. */
  MAY_WRITE,
  /** Reads the variable and writes it or part of it, though it is not an input. */
  READ_WRITE
}
