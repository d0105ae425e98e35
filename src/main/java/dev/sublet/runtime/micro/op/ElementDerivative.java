package dev.sublet.runtime.micro.op;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.ir.Expression;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.UnaryOperator;
import dev.sublet.runtime.tensor.ElementType;

/**
 * The gradient of one element through an elementwise function.
 *
 * <p>A formula uses the function's result instead of its operand where it can, if the result is
 * available. Conventions decide where a function has no derivative:
 *
 * <ul>
 *   <li>maximum: the gradient goes to x if x &gt; y, else to y; minimum: to x if x &lt; y, else to
 *       y (as in Paddle's elementwise_max and elementwise_min);
 *   <li>abs at 0: zero;
 *   <li>power: with respect to the base, zero if the exponent is 0; with respect to the exponent,
 *       zero if the base is 0 and NaN if the base is negative;
 *   <li>modulo: 1 and -floor(x / y) everywhere, even at the jumps.
 * </ul>
 */
final class ElementDerivative {

  private final ForwardValues values;
  private final MicroValue result;
  private final ElementType type;
  private final ImmutableList<IndexExpression> here;
  private final Expression dy;

  /**
   * Creates the derivative at one element of a function's result.
   *
   * @param result the function's result
   * @param type the type of the result
   * @param here the indices of the element
   * @param dy the gradient of the result at these indices
   */
  ElementDerivative(
      ForwardValues values,
      MicroValue result,
      ElementType type,
      ImmutableList<IndexExpression> here,
      Expression dy) {
    this.values = requireNonNull(values, "values");
    this.result = requireNonNull(result, "result");
    this.type = requireNonNull(type, "type");
    this.here = requireNonNull(here, "here");
    this.dy = requireNonNull(dy, "dy");
  }

  /** Returns the gradient of the operand. */
  Expression of(MicroOp.Unary op) {
    return switch (op.operator()) {
      case NEGATE -> negate(dy);
      case ABSOLUTE -> multiply(dy, apply(UnaryOperator.SIGN, load(op.x())));
      case EXP -> multiply(dy, result(op));
      case LOG -> divide(dy, load(op.x()));
      case LOG1P -> divide(dy, add(literal(1), load(op.x())));
      case EXPM1 -> multiply(dy, add(result(op), literal(1)));
      case SQRT -> divide(multiply(literal(0.5), dy), result(op));
      case RSQRT -> multiply(multiply(literal(-0.5), dy), multiply(y(), multiply(y(), y())));
      case RECIPROCAL -> negate(multiply(dy, multiply(y(), y())));
      case TANH -> multiply(dy, subtract(literal(1), multiply(y(), y())));
      case SIGMOID -> multiply(dy, multiply(y(), subtract(literal(1), y())));
      case ERF -> multiply(dy, bell(load(op.x())));
      case SIN -> multiply(dy, apply(UnaryOperator.COS, load(op.x())));
      case COS -> negate(multiply(dy, apply(UnaryOperator.SIN, load(op.x()))));
      case TAN -> multiply(dy, add(literal(1), multiply(y(), y())));
      case ASIN -> divide(dy, cathetus(load(op.x())));
      case ACOS -> negate(divide(dy, cathetus(load(op.x()))));
      case ATAN -> divide(dy, add(literal(1), multiply(load(op.x()), load(op.x()))));
      case SINH -> multiply(dy, apply(UnaryOperator.COSH, load(op.x())));
      case COSH -> multiply(dy, apply(UnaryOperator.SINH, load(op.x())));
      case SIGN, NOT, FLOOR, CEIL, ROUND -> throw new AssertionError(op);
    };
  }

  /** Returns the gradient of operand 0 or 1. */
  Expression of(MicroOp.Binary op, int position) {
    boolean left = position == 0;
    return switch (op.operator()) {
      case ADD -> dy;
      case SUBTRACT -> left ? dy : negate(dy);
      case MULTIPLY -> multiply(dy, load(left ? op.y() : op.x()));
      case DIVIDE ->
          left ? divide(dy, load(op.y())) : negate(divide(multiply(dy, result(op)), load(op.y())));
      case MAXIMUM -> part(op, BinaryOperator.GREATER, left);
      case MINIMUM -> part(op, BinaryOperator.LESS, left);
      case POWER -> left ? powerOfBase(op) : powerOfExponent(op);
      case MODULO ->
          left
              ? dy
              : negate(
                  multiply(
                      dy,
                      new Expression.Binary(
                          BinaryOperator.FLOOR_DIVIDE, load(op.x()), load(op.y()))));
      case FLOOR_DIVIDE, EQUAL, NOT_EQUAL, LESS, LESS_EQUAL, GREATER, GREATER_EQUAL, AND, OR, XOR ->
          throw new AssertionError(op);
    };
  }

  /**
   * Returns the gradient of operand 1 or 2: the whole gradient where the operand was chosen, else
   * 0.
   */
  Expression of(MicroOp.Ternary op, int position) {
    Expression condition = load(op.condition());
    return position == 1
        ? new Expression.Conditional(condition, dy, literal(0))
        : new Expression.Conditional(condition, literal(0), dy);
  }

  private Expression part(MicroOp.Binary op, BinaryOperator comparison, boolean left) {
    Expression isLeft = new Expression.Binary(comparison, load(op.x()), load(op.y()));
    return left
        ? new Expression.Conditional(isLeft, dy, literal(0))
        : new Expression.Conditional(isLeft, literal(0), dy);
  }

  /**
   * Returns dy · y x^(y - 1). If the exponent is a literal, its test for 0 is done now, not at run
   * time.
   */
  private Expression powerOfBase(MicroOp.Binary op) {
    Expression x = load(op.x());
    Expression y = load(op.y());
    if (y instanceof Expression.FloatLiteral exponent) {
      Expression lower = literal(exponent.value() - 1);
      return exponent.value() == 0
          ? literal(0)
          : multiply(dy, multiply(y, new Expression.Binary(BinaryOperator.POWER, x, lower)));
    }
    Expression lower = new Expression.Binary(BinaryOperator.POWER, x, subtract(y, literal(1)));
    return new Expression.Conditional(isZero(y), literal(0), multiply(dy, multiply(y, lower)));
  }

  /** Returns dy · x^y log x. */
  private Expression powerOfExponent(MicroOp.Binary op) {
    Expression x = load(op.x());
    Expression slope = multiply(result(op), apply(UnaryOperator.LOG, x));
    return new Expression.Conditional(isZero(x), literal(0), multiply(dy, slope));
  }

  /** Returns 2 / √π exp(-x²), the derivative of erf. */
  private Expression bell(Expression x) {
    return multiply(
        literal(2 / Math.sqrt(Math.PI)), apply(UnaryOperator.EXP, negate(multiply(x, x))));
  }

  /** Returns √(1 - x²), accurate also for x near 1. */
  private Expression cathetus(Expression x) {
    return apply(UnaryOperator.SQRT, multiply(subtract(literal(1), x), add(literal(1), x)));
  }

  /**
   * Returns the result for a formula that uses it once: a load if the result is available, else the
   * computation in place.
   */
  private Expression result(MicroOp.Unary op) {
    return values.isThere(result) ? y() : apply(op.operator(), load(op.x()));
  }

  private Expression result(MicroOp.Binary op) {
    return values.isThere(result)
        ? y()
        : new Expression.Binary(op.operator(), load(op.x()), load(op.y()));
  }

  private Expression y() {
    return load(result);
  }

  private Expression load(MicroValue value) {
    return values.load(value, here);
  }

  private Expression isZero(Expression x) {
    return new Expression.Binary(BinaryOperator.EQUAL, x, literal(0));
  }

  private Expression literal(double value) {
    return literal(type, value);
  }

  /** Returns a number rounded to a type. */
  static Expression literal(ElementType type, double value) {
    return new Expression.FloatLiteral(type, type == ElementType.FLOAT32 ? (float) value : value);
  }

  private static Expression apply(UnaryOperator operator, Expression x) {
    return new Expression.Unary(operator, x);
  }

  private static Expression negate(Expression x) {
    return apply(UnaryOperator.NEGATE, x);
  }

  private static Expression add(Expression x, Expression y) {
    return new Expression.Binary(BinaryOperator.ADD, x, y);
  }

  private static Expression subtract(Expression x, Expression y) {
    return new Expression.Binary(BinaryOperator.SUBTRACT, x, y);
  }

  private static Expression multiply(Expression x, Expression y) {
    return new Expression.Binary(BinaryOperator.MULTIPLY, x, y);
  }

  private static Expression divide(Expression x, Expression y) {
    return new Expression.Binary(BinaryOperator.DIVIDE, x, y);
  }
}
