package dev.sublet.runtime.micro.ir;

import java.util.Locale;

/**
 * A reduction: how a carried variable, or a tensor's element, combines a sequence of values, in the
 * order of the loops.
 */
public enum ReduceOperator {
  /** The sum; the initial value is 0. */
  SUM,
  /** The product; the initial value is 1. */
  PRODUCT,
  /**
   * The maximum; the initial value is minus infinity (integers: the least value). NaN after any
   * NaN.
   */
  MAXIMUM,
  /**
   * The minimum; the initial value is infinity (integers: the greatest value). NaN after any NaN.
   */
  MINIMUM,
  /**
   * The position of the first largest value; 0 if there are no values. NaN counts as the largest.
   */
  ARGMAX,
  /**
   * The position of the first smallest value; 0 if there are no values. NaN counts as the smallest.
   */
  ARGMIN;

  /** Whether the result is a position and not a value. */
  public boolean isPosition() {
    return this == ARGMAX || this == ARGMIN;
  }

  /** Returns the operator's name in program texts, such as {@code sum}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
