package dev.sublet.runtime.micro.run;

import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.ir.UnaryOperator;
import dev.sublet.runtime.tensor.ElementType;
import org.apache.commons.numbers.gamma.Erf;

/** The meaning of the operators for single numbers. All interpreters use these definitions. */
final class Operators {

  private Operators() {}

  /** Applies an operator to a floating-point number. The result is not yet rounded to its type. */
  static double apply(UnaryOperator operator, double x) {
    return switch (operator) {
      case NEGATE -> -x;
      case ABSOLUTE -> Math.abs(x);
      case SIGN -> Math.signum(x);
      case NOT -> throw new AssertionError("not of a number");
      case EXP -> StrictMath.exp(x);
      case LOG -> StrictMath.log(x);
      case LOG1P -> StrictMath.log1p(x);
      case EXPM1 -> StrictMath.expm1(x);
      case SQRT -> Math.sqrt(x);
      case RSQRT -> 1 / Math.sqrt(x);
      case RECIPROCAL -> 1 / x;
      case FLOOR -> Math.floor(x);
      case CEIL -> Math.ceil(x);
      case ROUND -> Math.copySign(roundUpHalves(Math.abs(x)), x);
      case TANH -> StrictMath.tanh(x);
      case SIGMOID -> 1 / (1 + StrictMath.exp(-x));
      case ERF -> Erf.value(x);
      case SIN -> StrictMath.sin(x);
      case COS -> StrictMath.cos(x);
      case TAN -> StrictMath.tan(x);
      case ASIN -> StrictMath.asin(x);
      case ACOS -> StrictMath.acos(x);
      case ATAN -> StrictMath.atan(x);
      case SINH -> StrictMath.sinh(x);
      case COSH -> StrictMath.cosh(x);
    };
  }

  /**
   * Rounds halves up. Adding 0.5 first would round 0.49999999999999994 up, and odd numbers above
   * 2^52.
   */
  private static double roundUpHalves(double x) {
    double floor = Math.floor(x);
    return x - floor >= 0.5 ? floor + 1 : floor;
  }

  /**
   * Applies an operator to an integer. The result is not yet wrapped around at its type's width.
   */
  static long apply(UnaryOperator operator, long x) {
    return switch (operator) {
      case NEGATE -> -x;
      case ABSOLUTE -> Math.abs(x);
      case SIGN -> Long.signum(x);
      case NOT -> 1 - x;
      default -> throw new AssertionError(operator + " of an integer");
    };
  }

  /**
   * Applies an operator to two floating-point numbers. The result is not yet rounded to their type.
   */
  static double apply(BinaryOperator operator, double x, double y) {
    return switch (operator) {
      case ADD -> x + y;
      case SUBTRACT -> x - y;
      case MULTIPLY -> x * y;
      case DIVIDE -> x / y;
      case MAXIMUM -> Math.max(x, y);
      case MINIMUM -> Math.min(x, y);
      case POWER -> power(x, y);
      case MODULO -> modulo(x, y);
      case FLOOR_DIVIDE -> Math.floor(x / y);
      default -> throw new AssertionError(operator + " gives no number");
    };
  }

  /**
   * Returns a power. Java's pow returns NaN where IEEE 754 and C define 1: for 1 to the power of
   * NaN, and for ±1 to the power of infinity.
   */
  private static double power(double x, double y) {
    boolean one = x == 1 || (x == -1 && Double.isInfinite(y));
    return one ? 1 : StrictMath.pow(x, y);
  }

  private static double modulo(double x, double y) {
    double remainder = x % y;
    return remainder != 0 && (remainder < 0) != (y < 0) ? remainder + y : remainder;
  }

  /**
   * Applies an operator to two integers or booleans. The result is not yet wrapped around at their
   * type's width.
   */
  static long apply(BinaryOperator operator, long x, long y) {
    return switch (operator) {
      case ADD -> x + y;
      case SUBTRACT -> x - y;
      case MULTIPLY -> x * y;
      case DIVIDE -> y == 0 ? 0 : x / y;
      case MAXIMUM -> Math.max(x, y);
      case MINIMUM -> Math.min(x, y);
      case POWER -> power(x, y);
      case MODULO -> y == 0 ? 0 : Math.floorMod(x, y);
      case FLOOR_DIVIDE -> y == 0 ? 0 : Math.floorDiv(x, y);
      case AND -> x & y;
      case OR -> x | y;
      case XOR -> x ^ y;
      default -> throw new AssertionError(operator + " gives no number");
    };
  }

  private static long power(long base, long exponent) {
    long power = exponent < 0 ? 0 : 1;
    long square = base;
    for (long rest = exponent; rest > 0; rest >>= 1) {
      power *= (rest & 1) == 1 ? square : 1;
      square *= square;
    }
    return power;
  }

  /** Whether a comparison of two floating-point numbers is true. */
  static boolean compare(BinaryOperator operator, double x, double y) {
    return switch (operator) {
      case EQUAL -> x == y;
      case NOT_EQUAL -> x != y;
      case LESS -> x < y;
      case LESS_EQUAL -> x <= y;
      case GREATER -> x > y;
      case GREATER_EQUAL -> x >= y;
      default -> throw new AssertionError(operator + " is not a comparison");
    };
  }

  /** Whether a comparison of two integers is true. */
  static boolean compare(BinaryOperator operator, long x, long y) {
    return switch (operator) {
      case EQUAL -> x == y;
      case NOT_EQUAL -> x != y;
      case LESS -> x < y;
      case LESS_EQUAL -> x <= y;
      case GREATER -> x > y;
      case GREATER_EQUAL -> x >= y;
      default -> throw new AssertionError(operator + " is not a comparison");
    };
  }

  /** Returns a floating-point number, rounded to a type. */
  static double round(ElementType type, double x) {
    return type == ElementType.FLOAT32 ? (float) x : x;
  }

  /** Returns an integer, wrapped around at its type's width if the type is INT32. */
  static long wrap(ElementType type, long x) {
    return type == ElementType.INT32 ? (int) x : x;
  }

  /** Converts a floating-point number to an integer type or to a boolean. */
  static long toInteger(ElementType type, double x) {
    return switch (type) {
      case BOOL -> x != 0 ? 1 : 0;
      case INT32, UINT8, INT8 -> type.wrapped((int) x);
      default -> (long) x;
    };
  }

  /** Converts an integer to another integer type or to a boolean. */
  static long toInteger(ElementType type, long x) {
    return type.wrapped(x);
  }
}
