package dev.sublet.operator.infer;

import com.google.common.base.Ascii;

/**
 * A shape rule cannot go on: what it needs is not known. Carries the reason; has no stack trace.
 */
public final class UnknownShapeException extends RuntimeException {

  private static final long serialVersionUID = 1;

  /** An exception with its reason, in a few words. */
  public UnknownShapeException(String reason) {
    super(
        Ascii.truncate(reason, ShapeMismatchException.MAX_LENGTH, "…"),
        null,
        /* enableSuppression= */ false,
        /* writableStackTrace= */ false);
  }

  /** What is not known. */
  public String reason() {
    String message = getMessage();
    return message == null ? "" : message;
  }
}
