package dev.sublet.runtime.micro.ir;

import java.util.Locale;

/**
 * How a carried variable, or an element of a tensor, takes in one value after the other, in the
 * order of the loops.
 */
public enum ReduceOperator {
  /** From 0. */
  SUM,
  /** From 1. */
  PRODUCT,
  /** From minus infinity (integers: the least); NaN once it has met one. */
  MAXIMUM,
  /** From infinity (integers: the largest); NaN once it has met one. */
  MINIMUM,
  /** The position of the first largest value; 0 if there is none. NaN counts as the largest. */
  ARGMAX,
  /** The position of the first smallest value; 0 if there is none. NaN counts as the smallest. */
  ARGMIN;

  /** Whether the result is a position and not a value. */
  public boolean isPosition() {
    return this == ARGMAX || this == ARGMIN;
  }

  /** The name in texts, such as {@code sum}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
