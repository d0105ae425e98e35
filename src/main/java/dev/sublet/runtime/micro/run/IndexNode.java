package dev.sublet.runtime.micro.run;

import static com.google.common.base.Preconditions.checkArgument;

import dev.sublet.runtime.micro.ir.IndexExpression;

/**
 * The nodes of indices. An index that is an element of a tensor is a {@link LongNode.Load} or a
 * {@link LongNode.Gather}.
 */
final class IndexNode {

  private IndexNode() {}

  /** An affine index. */
  static final class Linear extends LongNode {

    private final LinearForm form;
    private final long step;
    private final long[] values;

    Linear(LinearForm form, long step, long[] values) {
      this.form = form;
      this.step = step;
      this.values = values;
    }

    @Override
    long[] evaluate(int lanes) {
      long start = form.value();
      for (int lane = 0; lane < lanes; lane++) {
        values[lane] = start + lane * step;
      }
      return values;
    }
  }

  /** The negation of an index. */
  static final class Negation extends LongNode {

    private final LongNode operand;
    private final long[] values;

    Negation(LongNode operand, long[] values) {
      this.operand = operand;
      this.values = values;
    }

    @Override
    long[] evaluate(int lanes) {
      long[] operands = operand.evaluate(lanes);
      for (int lane = 0; lane < lanes; lane++) {
        values[lane] = -operands[lane];
      }
      return values;
    }
  }

  /** An arithmetic operation on two indices. */
  static final class Arithmetic extends LongNode {

    private final IndexExpression.Arithmetic expression;
    private final LongNode left;
    private final LongNode right;
    private final long[] values;

    /**
     * Creates a node.
     *
     * @param expression the operation, also as text for messages
     */
    Arithmetic(
        IndexExpression.Arithmetic expression, LongNode left, LongNode right, long[] values) {
      this.expression = expression;
      this.left = left;
      this.right = right;
      this.values = values;
    }

    @Override
    long[] evaluate(int lanes) {
      long[] x = left.evaluate(lanes);
      long[] y = right.evaluate(lanes);
      switch (expression.operator()) {
        case ADD -> {
          for (int lane = 0; lane < lanes; lane++) {
            values[lane] = x[lane] + y[lane];
          }
        }
        case SUBTRACT -> {
          for (int lane = 0; lane < lanes; lane++) {
            values[lane] = x[lane] - y[lane];
          }
        }
        case MULTIPLY -> {
          for (int lane = 0; lane < lanes; lane++) {
            values[lane] = x[lane] * y[lane];
          }
        }
        case DIVIDE -> {
          for (int lane = 0; lane < lanes; lane++) {
            checkArgument(y[lane] != 0, "division by zero in %s", expression);
            values[lane] = Math.floorDiv(x[lane], y[lane]);
          }
        }
      }
      return values;
    }
  }
}
