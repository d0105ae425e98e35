package dev.sublet.runtime.micro.run.bind;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * An affine form: a constant plus a multiple of each loop index. Nearly every index is affine once
 * the extents are known. Arithmetic wraps around at 64 bits, as index arithmetic does.
 */
public final class Affine {

  private final long constant;

  /** The coefficients, by the depth of the loop. */
  private final long[] coefficients;

  private Affine(long constant, long[] coefficients) {
    this.constant = constant;
    this.coefficients = coefficients;
  }

  /** Returns a constant form for a nest with a number of loops. */
  public static Affine constant(long value, int loops) {
    return new Affine(value, new long[loops]);
  }

  /** Returns the index of one loop. */
  static Affine index(int depth, int loops) {
    long[] coefficients = new long[loops];
    coefficients[depth] = 1;
    return new Affine(0, coefficients);
  }

  /** Returns the constant term. */
  public long constant() {
    return constant;
  }

  /** Returns the coefficient of a loop index; 0 for loops that the nest does not have. */
  public long coefficient(int depth) {
    return depth < coefficients.length ? coefficients[depth] : 0;
  }

  /** Whether the value is the same in all iterations. */
  public boolean isConstant() {
    return isConstantInside(0);
  }

  /** Whether the value does not depend on loops at or inside a depth. */
  public boolean isConstantInside(int depth) {
    for (int d = depth; d < coefficients.length; d++) {
      if (coefficients[d] != 0) {
        return false;
      }
    }
    return true;
  }

  /** Returns the sum of two forms. */
  Affine plus(Affine that) {
    long[] sums = coefficients.clone();
    for (int d = 0; d < sums.length; d++) {
      sums[d] += that.coefficients[d];
    }
    return new Affine(constant + that.constant, sums);
  }

  /** Returns a multiple of the form. */
  Affine times(long factor) {
    long[] products = coefficients.clone();
    for (int d = 0; d < products.length; d++) {
      products[d] *= factor;
    }
    return new Affine(constant * factor, products);
  }

  /** Returns the form without one loop's term. */
  Affine without(int depth) {
    long[] rest = coefficients.clone();
    rest[depth] = 0;
    return new Affine(constant, rest);
  }

  /** Returns the value for given loop indices. */
  public long at(long[] index) {
    long value = constant;
    for (int d = 0; d < coefficients.length; d++) {
      value += coefficients[d] * index[d];
    }
    return value;
  }

  /**
   * Returns the range of the form's values.
   *
   * @param indices the range of each loop's index, null if unknown
   * @return null if the range is unknown or the arithmetic might wrap around
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
