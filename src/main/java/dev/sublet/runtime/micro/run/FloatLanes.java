package dev.sublet.runtime.micro.run;

import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.ir.ReduceOperator;
import dev.sublet.runtime.micro.ir.UnaryOperator;
import java.util.Arrays;

/**
 * Loops over FLOAT32 lanes. Each loop applies one operation to arrays from index 0 on, so that the
 * just-in-time compiler can make vector instructions of the loop. Results have the same bits as
 * those of {@link Operators}. The build derives the 64-bit variant of this class from the 32-bit
 * one.
 */
@SuppressWarnings("cast") // redundant in one of the two variants
final class FloatLanes {

  /**
   * The number of products that {@link #addManyProducts} adds in one loop. From six on, HotSpot 17
   * no longer makes vector instructions of that loop, which then takes five times as long.
   */
  static final int MANY = 4;

  private FloatLanes() {}

  /** Loads lanes {@code from} to before {@code to} from elements a stride apart. */
  static void load(float[] elements, int first, int stride, float[] values, int from, int to) {
    if (stride == 1) {
      System.arraycopy(elements, first, values, from, to - from);
    } else if (stride == 0) {
      if (from < to) {
        Arrays.fill(values, from, to, elements[first]);
      }
    } else {
      int at = first;
      for (int lane = from; lane < to; lane++) {
        values[lane] = elements[at];
        at += stride;
      }
    }
  }

  /** Stores lanes {@code from} to before {@code to} into elements a stride apart, in order. */
  static void store(float[] elements, int first, int stride, float[] values, int from, int to) {
    if (stride == 1) {
      System.arraycopy(values, from, elements, first, to - from);
    } else {
      int at = first;
      for (int lane = from; lane < to; lane++) {
        elements[at] = values[lane];
        at += stride;
      }
    }
  }

  /**
   * Folds the lanes in bounds of an address into its elements, in order.
   *
   * @param sums an array for intermediate results
   */
  static void accumulate(
      ReduceOperator operator,
      float[] elements,
      RangeAddress address,
      float[] values,
      float[] sums) {
    int first = address.first;
    int stride = address.stride();
    int from = address.from;
    int to = address.to;
    if (stride == 1 && from == 0) {
      System.arraycopy(elements, first, sums, 0, to);
      foldLanes(operator, sums, values, to);
      System.arraycopy(sums, 0, elements, first, to);
      return;
    }
    if (stride == 0 && from == 0 && to > 0) {
      elements[first] = foldInOrder(operator, elements[first], values, to);
      return;
    }
    int at = first;
    for (int lane = from; lane < to; lane++) {
      elements[at] = fold(operator, elements[at], values[lane]);
      at += stride;
    }
  }

  /** Returns a sum into which one value is folded. */
  static float fold(ReduceOperator operator, float sum, float value) {
    return switch (operator) {
      case SUM -> sum + value;
      case PRODUCT -> sum * value;
      case MAXIMUM -> Math.max(sum, value);
      case MINIMUM -> Math.min(sum, value);
      case ARGMAX, ARGMIN -> throw new AssertionError(operator);
    };
  }

  /** Folds a value into each lane's sum. */
  static void foldLanes(ReduceOperator operator, float[] sums, float[] values, int lanes) {
    switch (operator) {
      case SUM -> add(sums, values, sums, lanes);
      case PRODUCT -> multiply(sums, values, sums, lanes);
      case MAXIMUM -> maximum(sums, values, sums, lanes);
      case MINIMUM -> minimum(sums, values, sums, lanes);
      case ARGMAX, ARGMIN -> throw new AssertionError(operator);
    }
  }

  /** Returns a sum into which all lanes are folded, in order. */
  static float foldInOrder(ReduceOperator operator, float start, float[] values, int lanes) {
    float sum = start;
    if (operator == ReduceOperator.SUM) {
      for (int lane = 0; lane < lanes; lane++) {
        sum += values[lane];
      }
      return sum;
    }
    for (int lane = 0; lane < lanes; lane++) {
      sum = fold(operator, sum, values[lane]);
    }
    return sum;
  }

  /** Adds a product of two lanes to each lane's sum. */
  static void addProducts(float[] sums, float[] left, float[] right, int lanes) {
    for (int lane = 0; lane < lanes; lane++) {
      sums[lane] += left[lane] * right[lane];
    }
  }

  /** Adds the product of a lane and one number to each lane's sum. */
  static void addProducts(float[] sums, float[] left, float right, int lanes) {
    for (int lane = 0; lane < lanes; lane++) {
      sums[lane] += left[lane] * right;
    }
  }

  /** Adds {@value #MANY} products to each lane's sum, in order, from row {@code first} on. */
  static void addManyProducts(float[] sums, float[][] rows, float[] factors, int first, int lanes) {
    float[] x0 = rows[first];
    float[] x1 = rows[first + 1];
    float[] x2 = rows[first + 2];
    float[] x3 = rows[first + 3];
    float f0 = factors[first];
    float f1 = factors[first + 1];
    float f2 = factors[first + 2];
    float f3 = factors[first + 3];
    for (int lane = 0; lane < lanes; lane++) {
      sums[lane] = (((sums[lane] + x0[lane] * f0) + x1[lane] * f1) + x2[lane] * f2) + x3[lane] * f3;
    }
  }

  /** Applies a function to each lane. */
  static void unary(UnaryOperator operator, float[] x, float[] y, int lanes) {
    switch (operator) {
      case NEGATE -> negate(x, y, lanes);
      case ABSOLUTE -> absolute(x, y, lanes);
      case SQRT -> squareRoot(x, y, lanes);
      default -> {
        for (int lane = 0; lane < lanes; lane++) {
          y[lane] = (float) Operators.apply(operator, x[lane]);
        }
      }
    }
  }

  private static void negate(float[] x, float[] y, int lanes) {
    for (int lane = 0; lane < lanes; lane++) {
      y[lane] = -x[lane];
    }
  }

  private static void absolute(float[] x, float[] y, int lanes) {
    for (int lane = 0; lane < lanes; lane++) {
      y[lane] = Math.abs(x[lane]);
    }
  }

  private static void squareRoot(float[] x, float[] y, int lanes) {
    for (int lane = 0; lane < lanes; lane++) {
      y[lane] = (float) Math.sqrt(x[lane]);
    }
  }

  /** Applies a function to the lanes of two arrays. */
  static void binary(BinaryOperator operator, float[] x, float[] y, float[] z, int lanes) {
    switch (operator) {
      case ADD -> add(x, y, z, lanes);
      case SUBTRACT -> subtract(x, y, z, lanes);
      case MULTIPLY -> multiply(x, y, z, lanes);
      case DIVIDE -> divide(x, y, z, lanes);
      case MAXIMUM -> maximum(x, y, z, lanes);
      case MINIMUM -> minimum(x, y, z, lanes);
      default -> {
        for (int lane = 0; lane < lanes; lane++) {
          z[lane] = (float) Operators.apply(operator, x[lane], y[lane]);
        }
      }
    }
  }

  private static void add(float[] x, float[] y, float[] z, int lanes) {
    for (int lane = 0; lane < lanes; lane++) {
      z[lane] = x[lane] + y[lane];
    }
  }

  private static void subtract(float[] x, float[] y, float[] z, int lanes) {
    for (int lane = 0; lane < lanes; lane++) {
      z[lane] = x[lane] - y[lane];
    }
  }

  private static void multiply(float[] x, float[] y, float[] z, int lanes) {
    for (int lane = 0; lane < lanes; lane++) {
      z[lane] = x[lane] * y[lane];
    }
  }

  private static void divide(float[] x, float[] y, float[] z, int lanes) {
    for (int lane = 0; lane < lanes; lane++) {
      z[lane] = x[lane] / y[lane];
    }
  }

  private static void maximum(float[] x, float[] y, float[] z, int lanes) {
    for (int lane = 0; lane < lanes; lane++) {
      z[lane] = Math.max(x[lane], y[lane]);
    }
  }

  private static void minimum(float[] x, float[] y, float[] z, int lanes) {
    for (int lane = 0; lane < lanes; lane++) {
      z[lane] = Math.min(x[lane], y[lane]);
    }
  }

  /** Compares the lanes of two arrays; the results are 1 or 0. */
  static void compare(BinaryOperator operator, float[] x, float[] y, long[] z, int lanes) {
    for (int lane = 0; lane < lanes; lane++) {
      z[lane] = Operators.compare(operator, x[lane], y[lane]) ? 1 : 0;
    }
  }
}
