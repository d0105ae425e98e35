package dev.sublet.operator;

/** The inputs of an operator have shapes that it does not accept. Has no stack trace. */
public final class ShapeMismatchException extends RuntimeException {

  private static final long serialVersionUID = 1;

  /** An exception that says which shapes contradict each other. */
  public ShapeMismatchException(String contradiction) {
    super(contradiction, null, /* enableSuppression= */ false, /* writableStackTrace= */ false);
  }

  /** What contradicts what. */
  public String contradiction() {
    String message = getMessage();
    return message == null ? "" : message;
  }
}
