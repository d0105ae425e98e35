package dev.sublet.runtime.micro.op;

import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.micro.ir.Expression;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.Loop;
import dev.sublet.runtime.micro.ir.ReduceOperator;

/** The amount that one reader of a value adds to the value's gradient. */
sealed interface Contribution {

  /**
   * A value that is added to each element of the gradient.
   *
   * @param value the value, over i0, i1, …, the indices of the element
   */
  record Pointwise(Expression value) implements Contribution {}

  /**
   * A reduction that is added to each element of the gradient.
   *
   * @param operator the reduction
   * @param inner the reduction's loops, numbered after the axes of the gradient
   * @param number the value to reduce, over the indices of the element and of the inner loops
   * @param result the value to add, over the carried variable 0
   */
  record Folded(
      ReduceOperator operator, ImmutableList<Loop> inner, Expression number, Expression result)
      implements Contribution {}

  /**
   * One value per element of the reader, added to the element of the gradient that the reader's
   * element was computed from.
   *
   * @param shape the shape of the reader
   * @param at the indices of the gradient's element, over the indices of the reader
   * @param value the value to add, over the same indices
   */
  record Scattered(
      ImmutableList<IndexExpression> shape, ImmutableList<IndexExpression> at, Expression value)
      implements Contribution {}
}
