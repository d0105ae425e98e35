package dev.sublet.runtime.micro.ir;

import java.util.Locale;

/** A function of two values of the same type. */
public enum BinaryOperator {
  ADD,
  SUBTRACT,
  MULTIPLY,
  /** The quotient. Integers: rounds towards zero; division by zero gives 0. */
  DIVIDE,
  /** The larger operand; NaN if either operand is NaN; 0 is larger than -0. */
  MAXIMUM,
  /** The smaller operand; NaN if either operand is NaN; -0 is smaller than 0. */
  MINIMUM,
  /**
   * IEEE 754's {@code pow}: 1 to any power is 1, even to the power NaN. Integers: repeated
   * multiplication that wraps around; a negative exponent gives 0.
   */
  POWER,
  /**
   * The remainder with the sign of the divisor (Python's {@code %}). Integers: modulo zero gives 0.
   */
  MODULO,
  /** The quotient rounded towards minus infinity. Integers: division by zero gives 0. */
  FLOOR_DIVIDE,
  EQUAL,
  NOT_EQUAL,
  LESS,
  LESS_EQUAL,
  GREATER,
  GREATER_EQUAL,
  /** Conjunction of booleans. */
  AND,
  /** Disjunction of booleans. */
  OR,
  /** Exclusive disjunction of booleans. */
  XOR;

  /** Whether the result is a boolean for operands of any type. */
  public boolean isComparison() {
    return compareTo(EQUAL) >= 0 && compareTo(GREATER_EQUAL) <= 0;
  }

  /** Whether both operands are booleans. */
  public boolean isLogical() {
    return compareTo(AND) >= 0;
  }

  /** Returns the operator's name in program texts, such as {@code add}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
