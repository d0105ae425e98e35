package dev.sublet.operator.spec;

/** How an operator with blocks runs them. */
public enum ControlKind {
  /** The operator has no block, or is not known to run one: then its blocks are opaque. */
  NONE,
  /** Runs its block while a condition holds, zero or more times. */
  WHILE,
  /** The gradient of {@link #WHILE}: runs its block once in each kept scope, last scope first. */
  WHILE_GRAD,
  /** Runs its block once or not at all. */
  CONDITIONAL,
  /** The gradient of {@link #CONDITIONAL}: runs its block in the kept scope, or not at all. */
  CONDITIONAL_GRAD,
  /** Runs its block once a time step; inner and outer names are linked. */
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
