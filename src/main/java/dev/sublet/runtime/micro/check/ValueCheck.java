package dev.sublet.runtime.micro.check;

import static java.util.Objects.requireNonNull;

import dev.sublet.runtime.micro.ir.Access;
import dev.sublet.runtime.micro.ir.CarriedVariable;
import dev.sublet.runtime.micro.ir.Expression;
import dev.sublet.runtime.micro.ir.ExpressionTypes;
import dev.sublet.runtime.micro.ir.TensorDeclaration;
import dev.sublet.runtime.tensor.ElementType;
import java.util.Map;

/** Checks the expressions of one loop: their types and the names that they refer to. */
final class ValueCheck {

  private final MicroProgramCheck program;
  private final IndexCheck index;
  private final Map<Integer, CarriedVariable> carried;

  /**
   * Creates the check for the statements of one loop.
   *
   * @param carried the carried variables of the loop and of the loops around it; consulted at each
   *     check
   */
  ValueCheck(MicroProgramCheck program, IndexCheck index, Map<Integer, CarriedVariable> carried) {
    this.program = program;
    this.index = index;
    this.carried = carried;
  }

  /** Returns a carried variable in scope. */
  CarriedVariable carried(int id, Object culprit) {
    CarriedVariable variable = carried.get(id);
    if (variable == null) {
      throw program.invalid("there is no carried variable c" + id + " here", culprit);
    }
    return variable;
  }

  /** Checks an expression and returns its type. O(size). */
  ElementType typeOf(Expression expression) {
    if (expression instanceof Expression.FloatLiteral literal) {
      return literal.type();
    }
    if (expression instanceof Expression.IntegerLiteral literal) {
      return literal(literal);
    }
    if (expression instanceof Expression.ScalarParameter parameter) {
      return program.parameter(parameter.name(), parameter);
    }
    if (expression instanceof Expression.IndexValue value) {
      index.check(value.index());
      return ElementType.INT64;
    }
    if (expression instanceof Expression.Load load) {
      Access access = load.access();
      TensorDeclaration tensor = program.tensor(access.tensor(), access.at(), load);
      access.at().forEach(index::check);
      return tensor.type();
    }
    if (expression instanceof Expression.CarriedValue value) {
      CarriedVariable variable = carried(value.id(), value);
      return variable.operator().isPosition() ? ElementType.INT64 : variable.type();
    }
    if (expression instanceof Expression.Unary unary) {
      return unary(unary);
    }
    if (expression instanceof Expression.Binary binary) {
      return binary(binary);
    }
    if (expression instanceof Expression.Conditional conditional) {
      return choice(conditional);
    }
    if (expression instanceof Expression.Cast cast) {
      typeOf(cast.operand());
      return cast.type();
    }
    throw new AssertionError(expression);
  }

  private ElementType literal(Expression.IntegerLiteral literal) {
    long value = literal.value();
    if (value != literal.type().wrapped(value)) {
      throw program.invalid(value + " does not fit in " + literal.type(), literal);
    }
    return literal.type();
  }

  private ElementType unary(Expression.Unary unary) {
    ElementType operand = typeOf(unary.operand());
    try {
      return ExpressionTypes.of(unary.operator(), operand);
    } catch (IllegalArgumentException e) {
      throw program.invalid(requireNonNull(e.getMessage()), unary);
    }
  }

  private ElementType binary(Expression.Binary binary) {
    ElementType left = typeOf(binary.left());
    ElementType right = typeOf(binary.right());
    try {
      return ExpressionTypes.of(binary.operator(), left, right);
    } catch (IllegalArgumentException e) {
      throw program.invalid(requireNonNull(e.getMessage()), binary);
    }
  }

  private ElementType choice(Expression.Conditional conditional) {
    ElementType condition = typeOf(conditional.condition());
    if (condition != ElementType.BOOL) {
      throw program.invalid("a choice by " + condition + ", not bool", conditional);
    }
    ElementType ifTrue = typeOf(conditional.ifTrue());
    ElementType ifFalse = typeOf(conditional.ifFalse());
    if (ifTrue != ifFalse) {
      throw program.invalid("a choice of " + ifTrue + " and " + ifFalse, conditional);
    }
    return ifTrue;
  }
}
