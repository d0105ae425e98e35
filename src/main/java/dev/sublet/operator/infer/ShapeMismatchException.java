package dev.sublet.operator.infer;

import com.google.common.base.Ascii;

/** The inputs of an operator have shapes that it does not accept. Has no stack trace. */
public final class ShapeMismatchException extends RuntimeException {

  /** Messages may repeat lists of a file, which are of any length: more is cut off. */
  static final int MAX_LENGTH = 400;

  private static final long serialVersionUID = 1;

  /** An exception that says which shapes contradict each other. */
  public ShapeMismatchException(String contradiction) {
    super(
        Ascii.truncate(contradiction, MAX_LENGTH, "…"),
        null,
        /* enableSuppression= */ false,
        /* writableStackTrace= */ false);
  }

  /** What contradicts what. */
  public String contradiction() {
    String message = getMessage();
    return message == null ? "" : message;
  }
}
