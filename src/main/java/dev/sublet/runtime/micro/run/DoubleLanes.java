package dev.sublet.runtime.micro.run;

import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.ir.ReduceOperator;
import dev.sublet.runtime.micro.ir.UnaryOperator;
import java.util.Arrays;

/**
 * The loops over FLOAT64 lanes. Those that the compiler can turn into vector instructions stand by
 * themselves: arrays that are read and written from 0 on, one operation. Results have the bits that
 * {@link Operators} gives.
 */
final class DoubleLanes {

  private DoubleLanes() {}

  /** Lanes {@code from} to {@code to} from elements a stride apart. */
  static void load(double[] elements, int first, int stride, double[] values, int from, int to) {
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

  /** Lanes {@code from} to {@code to} into elements a stride apart, one after the other. */
  static void store(double[] elements, int first, int stride, double[] values, int from, int to) {
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
   * Elements a stride apart take lanes in, one after the other.
   *
   * @param sums an array to compute in
   */
  static void accumulate(
      ReduceOperator operator,
      double[] elements,
      int first,
      int stride,
      double[] values,
      int from,
      int to,
      double[] sums) {
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

  /** One value taken in. */
  static double fold(ReduceOperator operator, double sum, double value) {
    return switch (operator) {
      case SUM -> sum + value;
      case PRODUCT -> sum * value;
      case MAXIMUM -> Math.max(sum, value);
      case MINIMUM -> Math.min(sum, value);
      case ARGMAX, ARGMIN -> throw new AssertionError(operator);
    };
  }

  /** Each lane takes its value in. */
  static void foldLanes(ReduceOperator operator, double[] sums, double[] values, int lanes) {
    switch (operator) {
      case SUM -> add(sums, values, sums, lanes);
      case PRODUCT -> multiply(sums, values, sums, lanes);
      case MAXIMUM -> maximum(sums, values, sums, lanes);
      case MINIMUM -> minimum(sums, values, sums, lanes);
      case ARGMAX, ARGMIN -> throw new AssertionError(operator);
    }
  }

  /** One sum takes all lanes in, one after the other. */
  static double foldInOrder(ReduceOperator operator, double start, double[] values, int lanes) {
    double sum = start;
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

  /** Each lane adds a product. */
  static void addProducts(double[] sums, double[] left, double[] right, int lanes) {
    for (int lane = 0; lane < lanes; lane++) {
      sums[lane] += left[lane] * right[lane];
    }
  }

  /** Each lane adds a multiple of one number. */
  static void addProducts(double[] sums, double[] left, double right, int lanes) {
    for (int lane = 0; lane < lanes; lane++) {
      sums[lane] += left[lane] * right;
    }
  }

  /** A function of each lane. */
  static void unary(UnaryOperator operator, double[] x, double[] y, int lanes) {
    switch (operator) {
      case NEGATE -> negate(x, y, lanes);
      case ABSOLUTE -> absolute(x, y, lanes);
      case SQRT -> squareRoot(x, y, lanes);
      default -> {
        for (int lane = 0; lane < lanes; lane++) {
          y[lane] = Operators.apply(operator, x[lane]);
        }
      }
    }
  }

  private static void negate(double[] x, double[] y, int lanes) {
    for (int lane = 0; lane < lanes; lane++) {
      y[lane] = -x[lane];
    }
  }

  private static void absolute(double[] x, double[] y, int lanes) {
    for (int lane = 0; lane < lanes; lane++) {
      y[lane] = Math.abs(x[lane]);
    }
  }

  private static void squareRoot(double[] x, double[] y, int lanes) {
    for (int lane = 0; lane < lanes; lane++) {
      y[lane] = Math.sqrt(x[lane]);
    }
  }

  /** A function of two lanes each. */
  static void binary(BinaryOperator operator, double[] x, double[] y, double[] z, int lanes) {
    switch (operator) {
      case ADD -> add(x, y, z, lanes);
      case SUBTRACT -> subtract(x, y, z, lanes);
      case MULTIPLY -> multiply(x, y, z, lanes);
      case DIVIDE -> divide(x, y, z, lanes);
      case MAXIMUM -> maximum(x, y, z, lanes);
      case MINIMUM -> minimum(x, y, z, lanes);
      default -> {
        for (int lane = 0; lane < lanes; lane++) {
          z[lane] = Operators.apply(operator, x[lane], y[lane]);
        }
      }
    }
  }

  private static void add(double[] x, double[] y, double[] z, int lanes) {
    for (int lane = 0; lane < lanes; lane++) {
      z[lane] = x[lane] + y[lane];
    }
  }

  private static void subtract(double[] x, double[] y, double[] z, int lanes) {
    for (int lane = 0; lane < lanes; lane++) {
      z[lane] = x[lane] - y[lane];
    }
  }

  private static void multiply(double[] x, double[] y, double[] z, int lanes) {
    for (int lane = 0; lane < lanes; lane++) {
      z[lane] = x[lane] * y[lane];
    }
  }

  private static void divide(double[] x, double[] y, double[] z, int lanes) {
    for (int lane = 0; lane < lanes; lane++) {
      z[lane] = x[lane] / y[lane];
    }
  }

  private static void maximum(double[] x, double[] y, double[] z, int lanes) {
    for (int lane = 0; lane < lanes; lane++) {
      z[lane] = Math.max(x[lane], y[lane]);
    }
  }

  private static void minimum(double[] x, double[] y, double[] z, int lanes) {
    for (int lane = 0; lane < lanes; lane++) {
      z[lane] = Math.min(x[lane], y[lane]);
    }
  }

  /** Whether two lanes each compare so: 1 or 0. */
  static void compare(BinaryOperator operator, double[] x, double[] y, long[] z, int lanes) {
    for (int lane = 0; lane < lanes; lane++) {
      z[lane] = Operators.compare(operator, x[lane], y[lane]) ? 1 : 0;
    }
  }
}
