package dev.sublet.runtime.micro.ir;

import java.util.Locale;

/**
 * A function of one value; its result has its operand's type. All but {@link #NEGATE}, {@link
 * #ABSOLUTE}, {@link #SIGN} and {@link #NOT} are for floating-point numbers only.
 */
public enum UnaryOperator {
  NEGATE,
  ABSOLUTE,
  /** -1, 0 or 1; NaN stays NaN. */
  SIGN,
  /** Of a boolean. */
  NOT,
  EXP,
  LOG,
  /** log(1 + x), exact for small x. */
  LOG1P,
  /** exp(x) - 1, exact for small x. */
  EXPM1,
  SQRT,
  RSQRT,
  RECIPROCAL,
  FLOOR,
  CEIL,
  /** To the nearest integer, halves away from zero, as C's {@code round}. */
  ROUND,
  TANH,
  SIGMOID,
  ERF,
  SIN,
  COS,
  TAN,
  ASIN,
  ACOS,
  ATAN,
  SINH,
  COSH;

  /** Whether it is defined for integers too. */
  boolean takesIntegers() {
    return this == NEGATE || this == ABSOLUTE || this == SIGN;
  }

  /** The name in texts, such as {@code exp}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
