package dev.sublet.runtime.micro.run.bind;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.ir.Requirement;
import dev.sublet.runtime.micro.ir.ScalarDeclaration;
import dev.sublet.runtime.micro.ir.TensorDeclaration;
import dev.sublet.runtime.tensor.Tensor;
import java.util.LinkedHashMap;
import java.util.Map;

/** The integers of one run: the shapes of all tensors and the integer parameters. */
public final class RunExtents {

  private final Map<String, ImmutableLongArray> shapes = new LinkedHashMap<>();
  private final ImmutableMap<String, Long> parameters;

  private RunExtents(ImmutableMap<String, Long> parameters) {
    this.parameters = parameters;
  }

  /**
   * Computes all shapes from the inputs and parameters. O(the program's declarations).
   *
   * @param inputs tensors of the declared types and ranks
   * @param parameters the values of the program's integer parameters
   * @throws IllegalArgumentException if an extent of an input differs from its declaration, a
   *     requirement does not hold, or an extent is negative
   */
  public static RunExtents of(
      MicroProgram program,
      ImmutableMap<String, Tensor> inputs,
      ImmutableMap<String, Long> parameters) {
    RunExtents extents = new RunExtents(parameters);
    for (TensorDeclaration tensor : program.tensors()) {
      if (tensor.role() == TensorDeclaration.Role.INPUT) {
        extents.check(tensor, requireNonNull(inputs.get(tensor.name())).shape());
      } else {
        extents.declare(tensor);
      }
    }
    program.requirements().forEach(extents::check);
    return extents;
  }

  /**
   * Checks that the elements of each tensor fit into a Java array.
   *
   * @throws IllegalArgumentException if they do not
   */
  public void checkFitsArrays() {
    shapes.forEach(RunExtents::checkLength);
  }

  /** Returns the values of the integer parameters, without the floating-point ones. */
  public static ImmutableMap<String, Long> integers(
      MicroProgram program, ImmutableMap<String, Number> parameters) {
    ImmutableMap.Builder<String, Long> integers = ImmutableMap.builder();
    for (ScalarDeclaration parameter : program.parameters()) {
      Number value = parameters.get(parameter.name());
      checkArgument(value != null, "$%s has no value", parameter.name());
      if (!parameter.type().isFloating()) {
        integers.put(parameter.name(), requireNonNull(value).longValue());
      }
    }
    return integers.buildOrThrow();
  }

  /** Returns a tensor's shape. */
  public ImmutableLongArray shape(String tensor) {
    ImmutableLongArray shape = shapes.get(tensor);
    checkArgument(shape != null, "the shape of %s is not known yet", tensor);
    return requireNonNull(shape);
  }

  /**
   * Returns the value of an expression without loop indices and elements. O(size).
   *
   * @throws IllegalArgumentException if the expression contains one of these or an unknown name, or
   *     divides by zero
   */
  long value(IndexExpression expression) {
    if (expression instanceof IndexExpression.Constant constant) {
      return constant.value();
    }
    if (expression instanceof IndexExpression.AxisSize size) {
      ImmutableLongArray shape = shape(size.tensor());
      checkArgument(size.axis() < shape.length(), "%s has no axis %s", size.tensor(), size.axis());
      return shape.get(size.axis());
    }
    if (expression instanceof IndexExpression.Parameter parameter) {
      Long value = parameters.get(parameter.name());
      checkArgument(value != null, "there is no integer parameter $%s", parameter.name());
      return requireNonNull(value);
    }
    if (expression instanceof IndexExpression.Negation negation) {
      return -value(negation.operand());
    }
    if (expression instanceof IndexExpression.Arithmetic arithmetic) {
      return arithmetic(arithmetic, value(arithmetic.left()), value(arithmetic.right()));
    }
    throw new IllegalArgumentException(expression + " is not an extent");
  }

  private static long arithmetic(IndexExpression.Arithmetic expression, long left, long right) {
    return switch (expression.operator()) {
      case ADD -> left + right;
      case SUBTRACT -> left - right;
      case MULTIPLY -> left * right;
      case DIVIDE -> {
        checkArgument(right != 0, "division by zero in %s", expression);
        yield Math.floorDiv(left, right);
      }
    };
  }

  private void check(TensorDeclaration tensor, ImmutableLongArray shape) {
    shapes.put(tensor.name(), shape);
    for (int axis = 0; axis < shape.length(); axis++) {
      long extent = value(tensor.shape().get(axis));
      checkArgument(
          extent == shape.get(axis),
          "axis %s of %s is %s, not %s",
          axis,
          tensor.name(),
          extent,
          shape.get(axis));
    }
  }

  private void declare(TensorDeclaration tensor) {
    ImmutableLongArray.Builder shape = ImmutableLongArray.builder(tensor.rank());
    for (int axis = 0; axis < tensor.rank(); axis++) {
      long extent = value(tensor.shape().get(axis));
      checkArgument(
          extent >= 0,
          "axis %s of %s, %s, would be %s",
          axis,
          tensor.name(),
          tensor.shape().get(axis),
          extent);
      shape.add(extent);
    }
    shapes.put(tensor.name(), shape.build());
  }

  private static void checkLength(String tensor, ImmutableLongArray shape) {
    try {
      int unused = Tensor.length(shape);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          tensor + " of shape " + shape + " has more elements than an array holds", e);
    }
  }

  private void check(Requirement requirement) {
    long left = value(requirement.left());
    long right = value(requirement.right());
    checkArgument(
        left == right,
        "%s is %s, %s is %s; they must be equal",
        requirement.left(),
        left,
        requirement.right(),
        right);
  }
}
