package dev.sublet.runtime.micro.op;

import dev.sublet.runtime.micro.ir.ReduceOperator;
import java.util.Locale;

/** The function that combines the elements along reduced axes. */
public enum Reduction {
  SUM(ReduceOperator.SUM),
  /** The sum divided by the number of elements. */
  MEAN(ReduceOperator.SUM),
  PRODUCT(ReduceOperator.PRODUCT),
  MAXIMUM(ReduceOperator.MAXIMUM),
  MINIMUM(ReduceOperator.MINIMUM),
  /** The position of the first largest element, in row-major order over the reduced axes. */
  ARGMAX(ReduceOperator.ARGMAX),
  /** The position of the first smallest element, in row-major order over the reduced axes. */
  ARGMIN(ReduceOperator.ARGMIN);

  private final ReduceOperator operator;

  Reduction(ReduceOperator operator) {
    this.operator = operator;
  }

  /** Returns the operator with which a loop combines the elements. */
  ReduceOperator operator() {
    return operator;
  }

  /** Returns the reduction's name in texts, such as {@code sum}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
