package dev.sublet.runtime.micro.ir;

import java.util.Optional;

/** A statement of a loop; it runs at the end of each iteration. */
public sealed interface Statement {

  /** Returns the value to store, accumulate or fold. */
  Expression value();

  /** {@code y[i0] = value}. */
  record Assignment(Access target, Expression value) implements Statement {

    @Override
    public String toString() {
      return target + " = " + value;
    }
  }

  /** {@code y[i0] += value}: combines the value with the tensor's element. */
  record Accumulation(Access target, ReduceOperator operator, Expression value)
      implements Statement {

    /** Returns {@code y[i0] += value}, {@code *=}, {@code maximum=} and so on. */
    @Override
    public String toString() {
      String symbol =
          switch (operator) {
            case SUM -> "+";
            case PRODUCT -> "*";
            default -> operator.toString();
          };
      return target + " " + symbol + "= " + value;
    }
  }

  /**
   * Folds a value into a carried variable of an enclosing loop.
   *
   * @param carried the carried variable's number
   * @param position the position of the value, for argmax and argmin only
   */
  record Fold(int carried, Expression value, Optional<IndexExpression> position)
      implements Statement {

    /** Returns {@code c0 << value}, or {@code c0 << value at i1} with a position. */
    @Override
    public String toString() {
      return "c" + carried + " << " + value + position.map(p -> " at " + p).orElse("");
    }
  }
}
