package dev.sublet.runtime.micro.ir;

import java.util.Locale;

/**
 * A function of one value; the result has the type of the operand. All operators except {@link
 * #NEGATE}, {@link #ABSOLUTE}, {@link #SIGN} and {@link #NOT} are defined for floating-point
 * numbers only.
 */
public enum UnaryOperator {
  NEGATE,
  ABSOLUTE,
  /** -1, 0 or 1; the sign of NaN is NaN. */
  SIGN,
  /** The negation of a boolean. */
  NOT,
  EXP,
  LOG,
  /** log(1 + x), accurate for small x. */
  LOG1P,
  /** exp(x) - 1, accurate for small x. */
  EXPM1,
  SQRT,
  RSQRT,
  RECIPROCAL,
  FLOOR,
  CEIL,
  /** The nearest integer; halves round away from zero, as in C's {@code round}. */
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

  /** Whether the operator is defined for integers too. */
  boolean takesIntegers() {
    return this == NEGATE || this == ABSOLUTE || this == SIGN;
  }

  /** Returns the operator's name in program texts, such as {@code exp}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
