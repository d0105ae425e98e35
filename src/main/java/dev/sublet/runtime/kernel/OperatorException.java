package dev.sublet.runtime.kernel;

import static java.util.Objects.requireNonNull;

import dev.sublet.diag.Diagnostic;
import dev.sublet.diag.Location;
import dev.sublet.diag.ProgramException;
import dev.sublet.program.Names;

/**
 * An operator that cannot run on what it was given: shapes or types that do not fit, an attribute
 * that means nothing. The message says what is wrong; who catches it adds which operator it is.
 */
public final class OperatorException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final Diagnostic.Kind kind;
  private final String variable;

  /** What is wrong, in a few words. */
  public OperatorException(String message) {
    this(Diagnostic.Kind.UNREADABLE, message, "");
  }

  private OperatorException(Diagnostic.Kind kind, String message, String variable) {
    super(requireNonNull(message, "message"));
    this.kind = requireNonNull(kind, "kind");
    this.variable = requireNonNull(variable, "variable");
  }

  /** What is not wrong, but more than can be computed here. */
  public static OperatorException beyondLimits(String message) {
    return new OperatorException(Diagnostic.Kind.UNSUPPORTED, message, "");
  }

  /** The same, about a variable, unless it is about one already. */
  public OperatorException at(String name) {
    if (!variable.isEmpty()) {
      return this;
    }
    OperatorException placed = new OperatorException(kind, String.valueOf(getMessage()), name);
    placed.initCause(this);
    return placed;
  }

  /** The variable that it is about; empty if it is about none in particular. */
  String variable() {
    return variable;
  }

  /** What ends the run. */
  public ProgramException in(Location place) {
    return ProgramException.of(
        kind,
        variable.isEmpty() ? place : place.at(Names.display(variable)),
        String.valueOf(getMessage()));
  }
}
