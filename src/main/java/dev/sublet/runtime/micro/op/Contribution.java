package dev.sublet.runtime.micro.op;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.micro.ir.Expression;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.Loop;
import dev.sublet.runtime.micro.ir.ReduceOperator;

/** What one reader of a value adds to the value's gradient. */
sealed interface Contribution {

  /**
   * A number for each element of the gradient.
   *
   * @param value over i0, i1, …, the indices of the element
   */
  record Pointwise(Expression value) implements Contribution {

    public Pointwise {
      requireNonNull(value, "value");
    }
  }

  /**
   * Numbers that are folded for each element of the gradient.
   *
   * @param operator how
   * @param inner the loops over the numbers, numbered behind the axes of the gradient
   * @param number over the indices of the element and of the inner loops
   * @param result what is added, over the carried variable 0
   */
  record Folded(
      ReduceOperator operator, ImmutableList<Loop> inner, Expression number, Expression result)
      implements Contribution {

    public Folded {
      requireNonNull(operator, "operator");
      requireNonNull(inner, "inner");
      requireNonNull(number, "number");
      requireNonNull(result, "result");
    }
  }

  /**
   * A number for each element of the reader, added where that element came from.
   *
   * @param shape of the reader
   * @param at the element of the gradient, over the indices of the reader
   * @param value over the same indices
   */
  record Scattered(
      ImmutableList<IndexExpression> shape, ImmutableList<IndexExpression> at, Expression value)
      implements Contribution {

    public Scattered {
      requireNonNull(shape, "shape");
      requireNonNull(at, "at");
      requireNonNull(value, "value");
    }
  }
}
