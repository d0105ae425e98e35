package dev.sublet.testing.simulate;

/**
 * The values that a simulated run computes with: 64-bit hashes of where a value comes from. Two
 * values are equal if and only if, but for a collision, the same operators computed them from the
 * same values.
 */
public final class Values {

  /** The value of a variable that nothing has written. */
  public static final long UNDEFINED = 0x5DEECE66DBADL;

  /** The value of an array that has no element. */
  static final long EMPTY_ARRAY = 0x0A77A1L;

  /** The value of a tensor of zeros. */
  static final long ZERO = 0x2E70L;

  private Values() {}

  /** A value that depends on both; never {@link #UNDEFINED}. */
  static long mix(long a, long b) {
    // The finalizer of SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number
    // Generators, 2014).
    long z = a * 0x9E3779B97F4A7C15L + b + 0x632BE59BD9B4E019L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    z ^= z >>> 31;
    return z == UNDEFINED ? ~z : z;
  }

  /** A value that stands for a text. */
  static long of(String text) {
    long value = text.length();
    for (int i = 0; i < text.length(); i++) {
      value = mix(value, text.charAt(i));
    }
    return value;
  }

  /** The value read as a truth value. */
  static boolean bit(long value) {
    return (value & 1) != 0;
  }

  /** The value with another truth value. */
  static long withBit(long value, boolean bit) {
    return bit ? value | 1 : value & ~1L;
  }
}
