package dev.sublet.compile;

/** How exactly compiled code computes. */
public enum MathMode {
  /** With the bits of the executor on every machine: functions such as {@code exp} are in C. */
  STRICT,
  /**
   * Fast: products and sums are contracted, and functions such as {@code expf} are those of the C
   * library. The bits depend on the machine, the compiler and the library.
   */
  FAST
}
