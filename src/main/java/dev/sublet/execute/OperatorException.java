package dev.sublet.execute;

import static java.util.Objects.requireNonNull;

/**
 * An operator that cannot run on what it was given: shapes or types that do not fit, an attribute
 * that means nothing. The message says what is wrong; who catches it adds which operator it is.
 */
public final class OperatorException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final String variable;

  /** What is wrong, in a few words. */
  public OperatorException(String message) {
    this(message, "");
  }

  private OperatorException(String message, String variable) {
    super(requireNonNull(message, "message"));
    this.variable = requireNonNull(variable, "variable");
  }

  /** The same, about a variable, unless it is about one already. */
  OperatorException at(String name) {
    if (!variable.isEmpty()) {
      return this;
    }
    OperatorException placed = new OperatorException(String.valueOf(getMessage()), name);
    placed.initCause(this);
    return placed;
  }

  /** The variable that it is about; empty if it is about none in particular. */
  String variable() {
    return variable;
  }
}
