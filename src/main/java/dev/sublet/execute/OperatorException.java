package dev.sublet.execute;

/**
 * An operator that cannot run on what it was given: shapes or types that do not fit, an attribute
 * that means nothing. The message says what is wrong; who catches it adds which operator it is.
 */
public final class OperatorException extends RuntimeException {

  private static final long serialVersionUID = 1;

  /** What is wrong, in a few words. */
  public OperatorException(String message) {
    super(message);
  }
}
