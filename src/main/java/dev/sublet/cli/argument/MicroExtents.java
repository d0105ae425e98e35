package dev.sublet.cli.argument;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.diag.ProgramException;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.TensorDeclaration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Determines the shapes of a micro program's inputs, one after the other, as given or as declared.
 */
public final class MicroExtents {

  private final ImmutableMap<String, Number> scalars;
  private final Map<String, ImmutableLongArray> shapes = new HashMap<>();

  /** Creates an instance whose extents may refer to these scalars by name. */
  public MicroExtents(ImmutableMap<String, Number> scalars) {
    this.scalars = scalars;
  }

  /**
   * Returns the shape of an input. A given shape may differ from the declared one; the run checks
   * that they agree.
   *
   * @param given the shape, or null if the declaration and the inputs before determine it
   * @throws ProgramException if they do not determine it
   */
  public ImmutableLongArray shape(TensorDeclaration input, @Nullable ImmutableLongArray given) {
    ImmutableLongArray shape = given == null ? declared(input) : given;
    shapes.put(input.name(), shape);
    return shape;
  }

  private ImmutableLongArray declared(TensorDeclaration input) {
    ImmutableLongArray.Builder shape = ImmutableLongArray.builder();
    for (IndexExpression extent : input.shape()) {
      shape.add(value(extent, input));
    }
    return shape.build();
  }

  private long value(IndexExpression extent, TensorDeclaration input) {
    if (extent instanceof IndexExpression.Constant constant) {
      return constant.value();
    }
    if (extent instanceof IndexExpression.Parameter parameter) {
      return requireNonNull(scalars.get(parameter.name())).longValue();
    }
    if (extent instanceof IndexExpression.AxisSize size) {
      ImmutableLongArray shape = shapes.get(size.tensor());
      if (shape == null || size.axis() >= shape.length()) {
        throw ProgramException.usage(
            "the extents of '"
                + input.name()
                + "' are open; give --shape "
                + input.name()
                + "=D,…");
      }
      return shape.get(size.axis());
    }
    if (extent instanceof IndexExpression.Negation negation) {
      return -value(negation.operand(), input);
    }
    if (extent instanceof IndexExpression.Arithmetic arithmetic) {
      return arithmetic(
          arithmetic, value(arithmetic.left(), input), value(arithmetic.right(), input));
    }
    throw new AssertionError(extent);
  }

  private static long arithmetic(IndexExpression.Arithmetic extent, long left, long right) {
    return switch (extent.operator()) {
      case ADD -> left + right;
      case SUBTRACT -> left - right;
      case MULTIPLY -> left * right;
      case DIVIDE -> {
        if (right == 0) {
          throw ProgramException.usage("the extent " + extent + " divides by zero");
        }
        yield Math.floorDiv(left, right);
      }
    };
  }
}
