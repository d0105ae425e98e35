package dev.sublet.compile.kernel;

/** Thrown for a call of an operator that the C functions cannot do. The message says why. */
public final class UncompiledException extends RuntimeException {

  UncompiledException(String reason) {
    super(reason);
  }
}
