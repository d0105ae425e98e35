package dev.sublet.runtime.micro.ir;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;

/**
 * Integer arithmetic over loop indices, extents and integer parameters: the bound of a loop or an
 * index of an element.
 *
 * <p>Values are 64-bit integers that wrap around. Division rounds towards minus infinity, so that a
 * negative index, which is out of bounds, stays negative. Division by zero is a run-time error.
 */
public sealed interface IndexExpression {

  /** An integer literal. */
  record Constant(long value) implements IndexExpression {

    @Override
    public String toString() {
      return Long.toString(value);
    }
  }

  /**
   * The index of a loop of the block, {@code i0}.
   *
   * @param id the loop's number, unique in its block; it is not the depth of the loop
   */
  record LoopIndex(int id) implements IndexExpression {

    /** Throws {@link IllegalArgumentException} if the number is negative. */
    public LoopIndex {
      checkArgument(id >= 0, "negative loop %s", id);
    }

    @Override
    public String toString() {
      return "i" + id;
    }
  }

  /** The extent of an axis of a tensor of the program, {@code d(x, 1)}. */
  record AxisSize(String tensor, int axis) implements IndexExpression {

    /** Throws {@link IllegalArgumentException} if the axis is negative. */
    public AxisSize {
      requireNonNull(tensor, "tensor");
      checkArgument(axis >= 0, "negative axis %s", axis);
    }

    @Override
    public String toString() {
      return "d(" + MicroName.text(tensor) + ", " + axis + ")";
    }
  }

  /** The value of an integer parameter of the program, {@code $stride}. */
  record Parameter(String name) implements IndexExpression {

    @Override
    public String toString() {
      return "$" + MicroName.text(name);
    }
  }

  /** Minus its operand. */
  record Negation(IndexExpression operand) implements IndexExpression {

    @Override
    public String toString() {
      // A sign directly before a number would be read as part of the number.
      boolean apart = operand instanceof Arithmetic || operand instanceof Constant;
      return "-" + (apart ? "(" + operand + ")" : operand);
    }
  }

  /** A binary operation. It prints with parentheses only where the parser needs them. */
  record Arithmetic(Operator operator, IndexExpression left, IndexExpression right)
      implements IndexExpression {

    @Override
    public String toString() {
      return side(left, operator.precedence)
          + " "
          + operator
          + " "
          + side(right, operator.precedence + 1);
    }

    private static String side(IndexExpression operand, int precedence) {
      boolean looser =
          operand instanceof Arithmetic inner && inner.operator.precedence < precedence;
      boolean signed =
          operand instanceof Negation
              || (operand instanceof Constant constant && constant.value < 0);
      return looser || signed ? "(" + operand + ")" : operand.toString();
    }
  }

  /**
   * An element of an integer tensor, {@code x[i0, 0]}: an index that depends on data. An element
   * out of bounds is 0.
   */
  record Element(String tensor, ImmutableList<IndexExpression> at) implements IndexExpression {

    @Override
    public String toString() {
      return MicroName.text(tensor) + at;
    }
  }

  /** The binary operators of index arithmetic. */
  enum Operator {
    ADD("+", 1),
    SUBTRACT("-", 1),
    MULTIPLY("*", 2),
    /** The quotient, rounded towards minus infinity. */
    DIVIDE("/", 2);

    private final String symbol;
    private final int precedence;

    Operator(String symbol, int precedence) {
      this.symbol = symbol;
      this.precedence = precedence;
    }

    @Override
    public String toString() {
      return symbol;
    }
  }
}
