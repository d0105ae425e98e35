package dev.sublet.runtime.micro.ir;

import java.util.Locale;

/** A function of two values of one type. */
public enum BinaryOperator {
  ADD,
  SUBTRACT,
  MULTIPLY,
  /** Integers: rounds towards zero; by zero it is 0. */
  DIVIDE,
  /** NaN if one of them is; 0 is larger than -0. */
  MAXIMUM,
  /** NaN if one of them is; -0 is smaller than 0. */
  MINIMUM,
  /**
   * As IEEE 754's {@code pow}: 1 to any power is 1, NaN too. Integers: by repeated multiplication,
   * wrapping around; a negative exponent gives 0.
   */
  POWER,
  /** The remainder with the sign of the divisor (Python's {@code %}); integers: by zero it is 0. */
  MODULO,
  /** The quotient rounded towards minus infinity; integers: by zero it is 0. */
  FLOOR_DIVIDE,
  EQUAL,
  NOT_EQUAL,
  LESS,
  LESS_EQUAL,
  GREATER,
  GREATER_EQUAL,
  /** Of booleans. */
  AND,
  /** Of booleans. */
  OR,
  /** Of booleans. */
  XOR;

  /** Whether the result is a boolean, whatever the operands are. */
  public boolean isComparison() {
    return compareTo(EQUAL) >= 0 && compareTo(GREATER_EQUAL) <= 0;
  }

  /** Whether both operands are booleans. */
  public boolean isLogical() {
    return compareTo(AND) >= 0;
  }

  /** The name in texts, such as {@code add}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
