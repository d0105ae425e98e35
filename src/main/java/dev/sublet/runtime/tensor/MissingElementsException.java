package dev.sublet.runtime.tensor;

/** Thrown if elements are read of a tensor of which only type and shape are known. */
public final class MissingElementsException extends RuntimeException {

  MissingElementsException(String message) {
    super(message);
  }
}
