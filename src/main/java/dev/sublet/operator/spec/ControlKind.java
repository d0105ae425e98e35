package dev.sublet.operator.spec;

/** The way in which an operator runs its blocks. */
public enum ControlKind {
  /** The operator has no block, or is not known to run one; in that case its blocks are opaque. */
  NONE,
  /** Runs its block while a condition holds, zero or more times. */
  WHILE,
  /** The gradient of {@link #WHILE}: runs its block once per kept scope, the last scope first. */
  WHILE_GRAD,
  /** Runs its block once or not at all. */
  CONDITIONAL,
  /** The gradient of {@link #CONDITIONAL}: runs its block in the kept scope, or not at all. */
  CONDITIONAL_GRAD,
  /** Runs its block once per time step; links inner and outer names. */
  RECURRENT,
  /** The gradient of {@link #RECURRENT}. */
  RECURRENT_GRAD;

  /** Whether the block may run more than once. */
  public boolean isLoop() {
    return this == WHILE || this == WHILE_GRAD || this == RECURRENT || this == RECURRENT_GRAD;
  }

  /** Whether the block runs inside scopes that a forward operator kept. */
  public boolean isGradient() {
    return this == WHILE_GRAD || this == CONDITIONAL_GRAD || this == RECURRENT_GRAD;
  }
}
