package dev.sublet.runtime.micro.ir;

import static com.google.common.base.Preconditions.checkArgument;

import dev.sublet.runtime.micro.text.ExpressionParser;
import dev.sublet.runtime.tensor.ElementType;

/**
 * The value that a statement computes in one iteration.
 *
 * <p>Every expression has one type, determined by its operands and the program's declarations. The
 * operands of an operator have the same type; only {@link Cast} converts. An expression's string
 * form is the text that {@link ExpressionParser} reads.
 */
public sealed interface Expression {

  /** A floating-point literal with its type. The value of a FLOAT32 literal is a float. */
  record FloatLiteral(ElementType type, double value) implements Expression {

    /**
     * Throws {@link IllegalArgumentException} if the type is not floating, or a literal of 32 bits
     * is not a float.
     */
    public FloatLiteral {
      checkArgument(type.isFloating(), "%s is not floating", type);
      checkArgument(
          type == ElementType.FLOAT64 || Double.compare((float) value, value) == 0,
          "%s is not a float",
          value);
    }

    @Override
    public String toString() {
      return ExpressionText.of(this);
    }
  }

  /** An integer literal with its type; 0 or 1 for a boolean. */
  record IntegerLiteral(ElementType type, long value) implements Expression {

    /** Throws {@link IllegalArgumentException} if the type is floating. */
    public IntegerLiteral {
      checkArgument(!type.isFloating(), "%s is not an integer type", type);
    }

    @Override
    public String toString() {
      return ExpressionText.of(this);
    }
  }

  /** The value of a scalar parameter, {@code $slope}; the declaration states its type. */
  record ScalarParameter(String name) implements Expression {

    @Override
    public String toString() {
      return ExpressionText.of(this);
    }
  }

  /** The value of an index expression, as INT64. */
  record IndexValue(IndexExpression index) implements Expression {

    @Override
    public String toString() {
      return ExpressionText.of(this);
    }
  }

  /**
   * An element of a tensor.
   *
   * @param outside the value that an access out of bounds returns, converted to the tensor's type
   */
  record Load(Access access, double outside) implements Expression {

    @Override
    public String toString() {
      return ExpressionText.of(this);
    }
  }

  /**
   * The value of a carried variable of this loop or of a loop around it. For argmax and argmin it
   * is the position, as INT64.
   *
   * @param id the carried variable's number, unique in its block
   */
  record CarriedValue(int id) implements Expression {
    @Override
    public String toString() {
      return ExpressionText.of(this);
    }
  }

  /** A function of one operand. */
  record Unary(UnaryOperator operator, Expression operand) implements Expression {

    @Override
    public String toString() {
      return ExpressionText.of(this);
    }
  }

  /** A function of two operands of the same type. */
  record Binary(BinaryOperator operator, Expression left, Expression right) implements Expression {

    @Override
    public String toString() {
      return ExpressionText.of(this);
    }
  }

  /**
   * One of two values of the same type, selected by a boolean. Both values are computed; neither
   * computation has effects.
   */
  record Conditional(Expression condition, Expression ifTrue, Expression ifFalse)
      implements Expression {

    @Override
    public String toString() {
      return ExpressionText.of(this);
    }
  }

  /**
   * The operand converted to another type. Conversion from floating-point to integer truncates, as
   * Java's casts do; conversion to boolean maps every nonzero value to true.
   */
  record Cast(ElementType type, Expression operand) implements Expression {

    @Override
    public String toString() {
      return ExpressionText.of(this);
    }
  }
}
