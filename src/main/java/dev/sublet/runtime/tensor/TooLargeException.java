package dev.sublet.runtime.tensor;

/** A tensor has more elements or bytes than an array of Java, or a number of 63 bits, can have. */
public final class TooLargeException extends IllegalArgumentException {

  private static final long serialVersionUID = 1;

  /** How many there are of what. */
  public TooLargeException(String message) {
    super(message);
  }
}
