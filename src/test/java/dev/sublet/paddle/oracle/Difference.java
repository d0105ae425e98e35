package dev.sublet.paddle.oracle;

import dev.sublet.runtime.tensor.Tensor;

/**
 * How far a tensor is from what it should be.
 *
 * <p>Of floating-point numbers the largest relative difference: |actual - expected| over
 * |expected|, or over a hundredth of the tensor's root mean square where that is more, lest numbers
 * that cancelled out to almost nothing decide. NaN and infinities must be in the same places.
 * Integers must be equal.
 */
final class Difference {

  private static final double FLOOR = 0.01;

  /** What is far below this is 0, where all that is expected is 0. */
  private static final double SMALLEST = 1e-12;

  private Difference() {}

  /** The difference; infinite if types or shapes differ, integers differ, or one is no number. */
  static double of(Tensor actual, Tensor expected) {
    if (actual.type() != expected.type() || !actual.shape().equals(expected.shape())) {
      return Double.POSITIVE_INFINITY;
    }
    int length = expected.length();
    if (!expected.type().isFloating()) {
      for (int i = 0; i < length; i++) {
        if (actual.getLong(i) != expected.getLong(i)) {
          return Double.POSITIVE_INFINITY;
        }
      }
      return 0;
    }
    double floor = Math.max(SMALLEST, FLOOR * rootMeanSquare(expected));
    double largest = 0;
    for (int i = 0; i < length; i++) {
      double difference = of(actual.getDouble(i), expected.getDouble(i), floor);
      largest = Math.max(largest, difference);
    }
    return largest;
  }

  private static double of(double actual, double expected, double floor) {
    if (actual == expected || (Double.isNaN(actual) && Double.isNaN(expected))) {
      return 0;
    }
    double relative = Math.abs(actual - expected) / Math.max(Math.abs(expected), floor);
    return Double.isFinite(relative) ? relative : Double.POSITIVE_INFINITY;
  }

  private static double rootMeanSquare(Tensor tensor) {
    double sum = 0;
    int count = 0;
    for (int i = 0; i < tensor.length(); i++) {
      double value = tensor.getDouble(i);
      if (Double.isFinite(value)) {
        sum += value * value;
        count++;
      }
    }
    return count == 0 ? 0 : Math.sqrt(sum / count);
  }
}
