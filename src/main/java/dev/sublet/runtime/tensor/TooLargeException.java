package dev.sublet.runtime.tensor;

/**
 * Thrown if a tensor would have more elements or bytes than a Java array can have, or than a long
 * can count.
 */
public final class TooLargeException extends IllegalArgumentException {

  private static final long serialVersionUID = 1;

  /** Creates an exception whose message states the number and its meaning. */
  public TooLargeException(String message) {
    super(message);
  }
}
