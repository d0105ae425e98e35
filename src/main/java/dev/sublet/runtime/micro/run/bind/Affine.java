package dev.sublet.runtime.micro.run.bind;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A number and a multiple of each loop's index: what nearly every index is once the extents are
 * known. Arithmetic wraps around at 64 bits, as that of indices does.
 */
public final class Affine {

  private final long constant;

  /** By the loop's depth. */
  private final long[] coefficients;

  private Affine(long constant, long[] coefficients) {
    this.constant = constant;
    this.coefficients = coefficients;
  }

  /** A number, in a nest of some depth. */
  public static Affine constant(long value, int loops) {
    return new Affine(value, new long[loops]);
  }

  /** The index of one loop. */
  static Affine index(int depth, int loops) {
    long[] coefficients = new long[loops];
    coefficients[depth] = 1;
    return new Affine(0, coefficients);
  }

  /** The number in front. */
  public long constant() {
    return constant;
  }

  /** How much one iteration of a loop adds; 0 for loops that the nest does not have. */
  public long coefficient(int depth) {
    return depth < coefficients.length ? coefficients[depth] : 0;
  }

  /** Whether it is the same in all iterations. */
  public boolean isConstant() {
    return isConstantInside(0);
  }

  /** Whether no loop from a depth inwards changes it. */
  public boolean isConstantInside(int depth) {
    for (int d = depth; d < coefficients.length; d++) {
      if (coefficients[d] != 0) {
        return false;
      }
    }
    return true;
  }

  /** The sum. */
  Affine plus(Affine that) {
    long[] sums = coefficients.clone();
    for (int d = 0; d < sums.length; d++) {
      sums[d] += that.coefficients[d];
    }
    return new Affine(constant + that.constant, sums);
  }

  /** A multiple. */
  Affine times(long factor) {
    long[] products = coefficients.clone();
    for (int d = 0; d < products.length; d++) {
      products[d] *= factor;
    }
    return new Affine(constant * factor, products);
  }

  /** The same without one loop's part. */
  Affine without(int depth) {
    long[] rest = coefficients.clone();
    rest[depth] = 0;
    return new Affine(constant, rest);
  }

  /** Its value at some indices. */
  public long at(long[] index) {
    long value = constant;
    for (int d = 0; d < coefficients.length; d++) {
      value += coefficients[d] * index[d];
    }
    return value;
  }

  /**
   * Between what it lies.
   *
   * @param indices the range of each loop's index, null if not known
   * @return null if that is not known, or arithmetic could wrap around
   */
  @Nullable IndexRange range(@Nullable IndexRange[] indices) {
    long low = constant;
    long high = constant;
    try {
      for (int d = 0; d < coefficients.length; d++) {
        long factor = coefficients[d];
        if (factor == 0) {
          continue;
        }
        IndexRange range = indices[d];
        if (range == null) {
          return null;
        }
        long atLow = Math.multiplyExact(factor, range.low());
        long atHigh = Math.multiplyExact(factor, range.high());
        low = Math.addExact(low, Math.min(atLow, atHigh));
        high = Math.addExact(high, Math.max(atLow, atHigh));
      }
    } catch (ArithmeticException e) {
      return null;
    }
    return new IndexRange(low, high);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Affine that
        && constant == that.constant
        && Arrays.equals(coefficients, that.coefficients);
  }

  @Override
  public int hashCode() {
    return 31 * Long.hashCode(constant) + Arrays.hashCode(coefficients);
  }

  @Override
  public String toString() {
    return constant + " + " + Arrays.toString(coefficients) + " · index";
  }
}
