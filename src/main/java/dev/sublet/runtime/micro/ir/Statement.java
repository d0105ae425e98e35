package dev.sublet.runtime.micro.ir;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/** What a loop does at the end of an iteration. */
public sealed interface Statement {

  /** What it computes. */
  Expression value();

  /** {@code y[i0] = value}. */
  record Assignment(Access target, Expression value) implements Statement {

    public Assignment {
      requireNonNull(target, "target");
      requireNonNull(value, "value");
    }

    @Override
    public String toString() {
      return target + " = " + value;
    }
  }

  /** {@code y[i0] += value}: the tensor's element takes the value in. */
  record Accumulation(Access target, ReduceOperator operator, Expression value)
      implements Statement {

    public Accumulation {
      requireNonNull(target, "target");
      requireNonNull(operator, "operator");
      requireNonNull(value, "value");
    }

    /** {@code y[i0] += value}, {@code *=}, {@code maximum=} and so on. */
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
   * A carried variable of a loop around this one takes the value in.
   *
   * @param carried the carried variable's number
   * @param position of the value, for argmax and argmin only
   */
  record Fold(int carried, Expression value, Optional<IndexExpression> position)
      implements Statement {

    public Fold {
      requireNonNull(value, "value");
      requireNonNull(position, "position");
    }

    /** {@code c0 << value}; with a position {@code c0 << value at i1}. */
    @Override
    public String toString() {
      return "c" + carried + " << " + value + position.map(p -> " at " + p).orElse("");
    }
  }
}
