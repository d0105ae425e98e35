package dev.sublet.operator;

/**
 * A shape rule cannot go on: what it needs is not known. Carries the reason; has no stack trace.
 */
public final class UnknownShapeException extends RuntimeException {

  private static final long serialVersionUID = 1;

  /** An exception with its reason, in a few words. */
  public UnknownShapeException(String reason) {
    super(reason, null, /* enableSuppression= */ false, /* writableStackTrace= */ false);
  }

  /** What is not known. */
  public String reason() {
    String message = getMessage();
    return message == null ? "" : message;
  }
}
