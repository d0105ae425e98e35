package dev.sublet.runtime.micro.ir;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

import dev.sublet.runtime.micro.ir.IndexExpression.Element;
import dev.sublet.runtime.tensor.ElementType;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The types of a program's expressions.
 *
 * <p>A comparison is BOOL; a position and an index are INT64. Every other expression has the type
 * of its operands, which must all have the same type.
 */
public final class ExpressionTypes {

  private final Map<String, ElementType> tensors = new HashMap<>();
  private final Map<String, ElementType> parameters = new HashMap<>();
  private final Map<Integer, CarriedVariable> carried = new HashMap<>();

  private ExpressionTypes(MicroProgram program, @Nullable LoopBlock block) {
    for (TensorDeclaration tensor : program.tensors()) {
      tensors.put(tensor.name(), tensor.type());
    }
    for (ScalarDeclaration parameter : program.parameters()) {
      parameters.put(parameter.name(), parameter.type());
    }
    if (block != null) {
      for (Loop loop : block.loops()) {
        for (CarriedVariable variable : loop.carried()) {
          carried.put(variable.id(), variable);
        }
      }
    }
  }

  /**
   * Returns the types of the expressions in a block. O(tensors + parameters + carried variables).
   */
  public static ExpressionTypes in(MicroProgram program, LoopBlock block) {
    return new ExpressionTypes(program, block);
  }

  /**
   * Returns the type of an expression. O(its size).
   *
   * @throws IllegalArgumentException if operand types do not fit, or if a name is not declared
   */
  public ElementType of(Expression expression) {
    if (expression instanceof Expression.FloatLiteral literal) {
      return literal.type();
    }
    if (expression instanceof Expression.IntegerLiteral literal) {
      return literal.type();
    }
    if (expression instanceof Expression.ScalarParameter parameter) {
      return known(parameters.get(parameter.name()), "parameter", parameter.name());
    }
    if (expression instanceof Expression.IndexValue) {
      return ElementType.INT64;
    }
    if (expression instanceof Expression.Load load) {
      return ofTensor(load.access().tensor());
    }
    if (expression instanceof Expression.CarriedValue value) {
      CarriedVariable variable = ofCarried(value.id());
      return variable.operator().isPosition() ? ElementType.INT64 : variable.type();
    }
    if (expression instanceof Expression.Unary unary) {
      return of(unary.operator(), of(unary.operand()));
    }
    if (expression instanceof Expression.Binary binary) {
      return of(binary.operator(), of(binary.left()), of(binary.right()));
    }
    if (expression instanceof Expression.Conditional conditional) {
      checkArgument(
          of(conditional.condition()) == ElementType.BOOL, "the condition is not a boolean");
      ElementType type = of(conditional.ifTrue());
      checkArgument(type == of(conditional.ifFalse()), "a choice of two types");
      return type;
    }
    if (expression instanceof Expression.Cast cast) {
      of(cast.operand());
      return cast.type();
    }
    throw new AssertionError(expression);
  }

  /** Returns the type of a tensor's elements. */
  public ElementType ofTensor(String tensor) {
    return known(tensors.get(tensor), "tensor", tensor);
  }

  /** Returns a carried variable of the block. */
  public CarriedVariable ofCarried(int id) {
    CarriedVariable variable = carried.get(id);
    checkArgument(variable != null, "there is no carried variable c%s", id);
    return requireNonNull(variable);
  }

  /** Checks that an element may be used in an index. */
  void checkIndex(Element element) {
    ElementType type = ofTensor(element.tensor());
    checkArgument(
        type == ElementType.INT32 || type == ElementType.INT64,
        "%s is not an integer tensor and cannot be an index",
        element.tensor());
  }

  /**
   * Returns the type of an operator's result.
   *
   * @throws IllegalArgumentException if the operator is not defined for operands of the type
   */
  public static ElementType of(UnaryOperator operator, ElementType type) {
    boolean fits =
        operator == UnaryOperator.NOT
            ? type == ElementType.BOOL
            : type.isFloating()
                || (operator.takesIntegers() && type != ElementType.BOOL && !type.isNarrow());
    checkArgument(fits, "%s of %s", operator, type);
    return type;
  }

  /**
   * Returns the type of an operator's result.
   *
   * @throws IllegalArgumentException if the operator is not defined for operands of the types
   */
  public static ElementType of(BinaryOperator operator, ElementType left, ElementType right) {
    checkArgument(left == right, "%s of %s and %s", operator, left, right);
    boolean equality = operator == BinaryOperator.EQUAL || operator == BinaryOperator.NOT_EQUAL;
    checkArgument(
        equality || (left == ElementType.BOOL) == operator.isLogical(), "%s of %s", operator, left);
    checkArgument(operator.isComparison() || !left.isNarrow(), "%s of %s", operator, left);
    return operator.isComparison() ? ElementType.BOOL : left;
  }

  private static ElementType known(@Nullable ElementType type, String kind, String name) {
    checkArgument(type != null, "there is no %s %s", kind, name);
    return requireNonNull(type);
  }
}
