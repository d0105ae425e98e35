package dev.sublet.runtime.micro.ir;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

import dev.sublet.runtime.tensor.ElementType;

/**
 * What a statement computes in one iteration.
 *
 * <p>Every expression has one type, which its parts and the program's declarations decide: operands
 * of one operator have the same type, and only {@link Cast} converts. It prints as {@link
 * ExpressionParser} reads it.
 */
public sealed interface Expression {

  /** A floating-point number of a type; FLOAT32 numbers are floats. */
  record FloatLiteral(ElementType type, double value) implements Expression {

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

  /** An integer of a type, or 0 or 1 as a boolean. */
  record IntegerLiteral(ElementType type, long value) implements Expression {

    public IntegerLiteral {
      checkArgument(!type.isFloating(), "%s is not an integer type", type);
    }

    @Override
    public String toString() {
      return ExpressionText.of(this);
    }
  }

  /** The value of a scalar parameter, {@code $slope}; its type is declared. */
  record ScalarParameter(String name) implements Expression {

    public ScalarParameter {
      requireNonNull(name, "name");
    }

    @Override
    public String toString() {
      return ExpressionText.of(this);
    }
  }

  /** An index as an INT64 value. */
  record IndexValue(IndexExpression index) implements Expression {

    public IndexValue {
      requireNonNull(index, "index");
    }

    @Override
    public String toString() {
      return ExpressionText.of(this);
    }
  }

  /**
   * An element of a tensor.
   *
   * @param outside what it is out of bounds, converted to the tensor's type
   */
  record Load(Access access, double outside) implements Expression {

    public Load {
      requireNonNull(access, "access");
    }

    @Override
    public String toString() {
      return ExpressionText.of(this);
    }
  }

  /**
   * The value of a carried variable of this loop or one around it; of a position (argmax, argmin)
   * the position, INT64.
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

    public Unary {
      requireNonNull(operator, "operator");
      requireNonNull(operand, "operand");
    }

    @Override
    public String toString() {
      return ExpressionText.of(this);
    }
  }

  /** A function of two operands of one type. */
  record Binary(BinaryOperator operator, Expression left, Expression right) implements Expression {

    public Binary {
      requireNonNull(operator, "operator");
      requireNonNull(left, "left");
      requireNonNull(right, "right");
    }

    @Override
    public String toString() {
      return ExpressionText.of(this);
    }
  }

  /** One of two values of one type, by a boolean. Both are computed; neither has effects. */
  record Choice(Expression condition, Expression ifTrue, Expression ifFalse) implements Expression {

    public Choice {
      requireNonNull(condition, "condition");
      requireNonNull(ifTrue, "ifTrue");
      requireNonNull(ifFalse, "ifFalse");
    }

    @Override
    public String toString() {
      return ExpressionText.of(this);
    }
  }

  /**
   * The operand in another type. Floating-point numbers become integers by cutting off fractions,
   * as Java's casts do; everything but 0 is true.
   */
  record Cast(ElementType type, Expression operand) implements Expression {

    public Cast {
      requireNonNull(type, "type");
      requireNonNull(operand, "operand");
    }

    @Override
    public String toString() {
      return ExpressionText.of(this);
    }
  }
}
