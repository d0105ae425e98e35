package dev.sublet.runtime.kernel;

import static java.util.Objects.requireNonNull;

import dev.sublet.diag.Diagnostic;
import dev.sublet.diag.Location;
import dev.sublet.diag.ProgramException;
import dev.sublet.program.Names;

/**
 * Thrown if an operator cannot run on its inputs: shapes or types that do not fit, or an attribute
 * without meaning. The message states the fault; the code that catches the exception adds the
 * operator's location.
 */
public final class OperatorException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final Diagnostic.Kind kind;
  private final String variable;

  /** Creates an exception for faulty inputs. */
  public OperatorException(String message) {
    this(Diagnostic.Kind.UNREADABLE, message, "");
  }

  private OperatorException(Diagnostic.Kind kind, String message, String variable) {
    super(requireNonNull(message, "message"));
    this.kind = requireNonNull(kind, "kind");
    this.variable = requireNonNull(variable, "variable");
  }

  /** Creates an exception for correct inputs that exceed the limits of this runtime. */
  public static OperatorException beyondLimits(String message) {
    return new OperatorException(Diagnostic.Kind.UNSUPPORTED, message, "");
  }

  /** Returns the exception with the name of a variable, unless it already names one. */
  public OperatorException at(String name) {
    if (!variable.isEmpty()) {
      return this;
    }
    OperatorException placed = new OperatorException(kind, String.valueOf(getMessage()), name);
    placed.initCause(this);
    return placed;
  }

  /** Returns the name of the variable at fault; empty if the exception names none. */
  String variable() {
    return variable;
  }

  /** Returns the exception that ends the run, with the location of the operator. */
  public ProgramException in(Location place) {
    return ProgramException.of(
        kind,
        variable.isEmpty() ? place : place.at(Names.display(variable)),
        String.valueOf(getMessage()));
  }
}
