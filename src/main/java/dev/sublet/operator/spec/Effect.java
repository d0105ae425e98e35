package dev.sublet.operator.spec;

/** The effect of an operator on a variable in one of its output slots. */
public enum Effect {
  /** Always writes the whole variable: nothing of the old value is left. */
  MUST_WRITE,
  /** Writes the variable, part of it, or nothing: the old value or part of it may remain. */
  MAY_WRITE,
  /** Reads the variable and writes it or part of it, though it is not an input. */
  READ_WRITE
}
