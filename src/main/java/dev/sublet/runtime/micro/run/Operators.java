package dev.sublet.runtime.micro.run;

import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.ir.UnaryOperator;
import dev.sublet.runtime.tensor.ElementType;
import org.apache.commons.numbers.gamma.Erf;

/** What the operators do with two numbers; one place decides, all interpreters ask. */
final class Operators {

  private Operators() {}

  /** A function of a floating-point number, before it is rounded to its type. */
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

  /** Adding 0.5 first would round 0.49999999999999994 up, and odd numbers above 2^52. */
  private static double roundUpHalves(double x) {
    double floor = Math.floor(x);
    return x - floor >= 0.5 ? floor + 1 : floor;
  }

  /** A function of an integer, before it wraps around at its type's width. */
  static long apply(UnaryOperator operator, long x) {
    return switch (operator) {
      case NEGATE -> -x;
      case ABSOLUTE -> Math.abs(x);
      case SIGN -> Long.signum(x);
      case NOT -> 1 - x;
      default -> throw new AssertionError(operator + " of an integer");
    };
  }

  /** A function of two floating-point numbers, before it is rounded to their type. */
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

  /** Java's pow gives NaN where IEEE 754 and C give 1: 1 to NaN, and ±1 to infinity. */
  private static double power(double x, double y) {
    boolean one = x == 1 || (x == -1 && Double.isInfinite(y));
    return one ? 1 : StrictMath.pow(x, y);
  }

  private static double modulo(double x, double y) {
    double remainder = x % y;
    return remainder != 0 && (remainder < 0) != (y < 0) ? remainder + y : remainder;
  }

  /** A function of two integers or booleans, before it wraps around at their type's width. */
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

  /** Whether two floating-point numbers compare so. */
  static boolean compare(BinaryOperator operator, double x, double y) {
    return switch (operator) {
      case EQUAL -> x == y;
      case NOT_EQUAL -> x != y;
      case LESS -> x < y;
      case LESS_EQUAL -> x <= y;
      case GREATER -> x > y;
      case GREATER_EQUAL -> x >= y;
      default -> throw new AssertionError(operator + " is no comparison");
    };
  }

  /** Whether two integers compare so. */
  static boolean compare(BinaryOperator operator, long x, long y) {
    return switch (operator) {
      case EQUAL -> x == y;
      case NOT_EQUAL -> x != y;
      case LESS -> x < y;
      case LESS_EQUAL -> x <= y;
      case GREATER -> x > y;
      case GREATER_EQUAL -> x >= y;
      default -> throw new AssertionError(operator + " is no comparison");
    };
  }

  /** A floating-point number as a type holds it. */
  static double round(ElementType type, double x) {
    return type == ElementType.FLOAT32 ? (float) x : x;
  }

  /** An integer as a type holds it: INT32 wraps around. */
  static long wrap(ElementType type, long x) {
    return type == ElementType.INT32 ? (int) x : x;
  }

  /** A floating-point number as an integer of a type, or a boolean. */
  static long toInteger(ElementType type, double x) {
    return switch (type) {
      case BOOL -> x != 0 ? 1 : 0;
      case INT32, UINT8, INT8 -> type.wrapped((int) x);
      default -> (long) x;
    };
  }

  /** An integer as one of another type, or a boolean. */
  static long toInteger(ElementType type, long x) {
    return type.wrapped(x);
  }
}
