package dev.sublet.runtime.micro.op;

import dev.sublet.runtime.micro.ir.ReduceOperator;
import java.util.Locale;

/** What becomes of the elements along reduced axes. */
public enum Reduction {
  SUM(ReduceOperator.SUM),
  /** The sum divided by the number of elements. */
  MEAN(ReduceOperator.SUM),
  PRODUCT(ReduceOperator.PRODUCT),
  MAXIMUM(ReduceOperator.MAXIMUM),
  MINIMUM(ReduceOperator.MINIMUM),
  /** The position of the first largest element, counted over the reduced axes row by row. */
  ARGMAX(ReduceOperator.ARGMAX),
  /** The position of the first smallest element. */
  ARGMIN(ReduceOperator.ARGMIN);

  private final ReduceOperator operator;

  Reduction(ReduceOperator operator) {
    this.operator = operator;
  }

  /** How a loop takes one element after the other in. */
  ReduceOperator operator() {
    return operator;
  }

  /** The name in texts, such as {@code sum}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
