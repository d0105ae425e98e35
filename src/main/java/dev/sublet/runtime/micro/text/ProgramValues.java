package dev.sublet.runtime.micro.text;

import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.micro.check.MicroProgramCheck;
import dev.sublet.runtime.micro.ir.Access;
import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.ir.Expression;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.MicroName;
import dev.sublet.runtime.micro.ir.UnaryOperator;
import dev.sublet.runtime.tensor.ElementType;

/**
 * Builds expressions from the names in a program text. {@link MicroProgramCheck} checks later what
 * the names refer to.
 */
record ProgramValues(SourcePositions positions) implements ExpressionParser.Values<Expression> {

  @Override
  public Expression literal(Expression literal) {
    return literal;
  }

  @Override
  public Expression parameter(String name) {
    return new Expression.ScalarParameter(name);
  }

  @Override
  public Expression index(MicroCursor cursor) {
    return new Expression.IndexValue(IndexParser.next(cursor, new ProgramIndices(positions)));
  }

  /** Reads an element of a tensor, or a carried variable such as {@code c0}. */
  @Override
  public Expression named(String name, MicroCursor cursor) {
    if (!isAccess(cursor)) {
      return new Expression.CarriedValue(carriedId(name));
    }
    boolean checked = !cursor.accept("!");
    cursor.expect("[");
    ImmutableList<IndexExpression> at = indices(cursor);
    double outside = cursor.acceptWord("outside") ? cursor.realNumber() : 0;
    cursor.expect("]");
    return new Expression.Load(new Access(name, at, checked), outside);
  }

  /** Reads the indices of the target of a statement, including the closing bracket. */
  Access target(String name, MicroCursor cursor) {
    boolean checked = !cursor.accept("!");
    cursor.expect("[");
    ImmutableList<IndexExpression> at = indices(cursor);
    cursor.expect("]");
    return new Access(name, at, checked);
  }

  /** Whether indices follow a name. */
  static boolean isAccess(MicroCursor cursor) {
    return cursor.isNext("[") || cursor.isNext("![");
  }

  private ImmutableList<IndexExpression> indices(MicroCursor cursor) {
    boolean none = cursor.isNext("]") || (cursor.isWord("outside") && !cursor.isWordBefore("["));
    return none ? ImmutableList.of() : IndexParser.nextList(cursor, new ProgramIndices(positions));
  }

  /**
   * Returns the number of a carried variable.
   *
   * @throws IllegalArgumentException if the name is not that of a carried variable
   */
  static int carriedId(String name) {
    int id = MicroName.numberIn(name, 'c');
    if (id >= 0) {
      return id;
    }
    throw new IllegalArgumentException(
        "'"
            + MicroCursor.shortened(name)
            + "' is not a value: one is c0 if carried, x[i0] if an element");
  }

  @Override
  public Expression unary(UnaryOperator operator, Expression operand) {
    return new Expression.Unary(operator, operand);
  }

  @Override
  public Expression binary(BinaryOperator operator, Expression left, Expression right) {
    return new Expression.Binary(operator, left, right);
  }

  @Override
  public Expression choose(Expression condition, Expression ifTrue, Expression ifFalse) {
    return new Expression.Conditional(condition, ifTrue, ifFalse);
  }

  @Override
  public Expression cast(ElementType type, Expression operand) {
    return new Expression.Cast(type, operand);
  }

  @Override
  public void found(Expression value, int position) {
    positions.add(value, position);
  }
}
