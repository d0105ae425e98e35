package dev.sublet.operator.infer;

import com.google.common.base.Ascii;

/**
 * Thrown by a shape rule that needs a number that is not known. Carries the reason; has no stack
 * trace.
 */
public final class UnknownShapeException extends RuntimeException {

  private static final long serialVersionUID = 1;

  /** Creates an exception with its reason, in a few words. */
  public UnknownShapeException(String reason) {
    super(
        Ascii.truncate(reason, ShapeMismatchException.MAX_LENGTH, "…"),
        null,
        /* enableSuppression= */ false,
        /* writableStackTrace= */ false);
  }

  /** The reason: the number that is not known. */
  public String reason() {
    String message = getMessage();
    return message == null ? "" : message;
  }
}
