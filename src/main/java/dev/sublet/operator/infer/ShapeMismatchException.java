package dev.sublet.operator.infer;

import com.google.common.base.Ascii;

/**
 * Thrown if the inputs of an operator have shapes that the operator does not accept. Has no stack
 * trace.
 */
public final class ShapeMismatchException extends RuntimeException {

  /**
   * The length at which messages are cut off, because they may repeat lists of any length from a
   * file.
   */
  static final int MAX_LENGTH = 400;

  private static final long serialVersionUID = 1;

  /** Creates an exception; {@code contradiction} names the shapes that contradict each other. */
  public ShapeMismatchException(String contradiction) {
    super(
        Ascii.truncate(contradiction, MAX_LENGTH, "…"),
        null,
        /* enableSuppression= */ false,
        /* writableStackTrace= */ false);
  }

  /** The shapes that contradict each other, as a message. */
  public String contradiction() {
    String message = getMessage();
    return message == null ? "" : message;
  }
}
