package dev.sublet.runtime.kernel.shape;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.kernel.ElementWriter;
import dev.sublet.runtime.kernel.IntegerArguments;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;

/**
 * Reads tensors whose elements are listed in an attribute: {@code fp32_values}, {@code
 * int64_values}, …
 */
public final class AttributeValues {

  private AttributeValues() {}

  /**
   * Returns a tensor of a shape with the elements that the attribute for an element type lists.
   *
   * @throws OperatorException if the number of elements is not that of the shape
   */
  public static Tensor of(OperatorCall call, ElementType type, ImmutableLongArray shape) {
    Tensor tensor = Tensor.zeros(type, shape);
    String attribute = attribute(type);
    ImmutableList<Double> reals = call.reals(attribute);
    if (reals.size() != tensor.length()) {
      throw new OperatorException(
          attribute + " has " + reals.size() + " elements, the shape " + tensor.length());
    }
    long[] integers = IntegerArguments.attribute(call, attribute);
    for (int i = 0; i < tensor.length(); i++) {
      if (type.isFloating()) {
        ElementWriter.put(tensor, i, reals.get(i));
      } else {
        ElementWriter.put(tensor, i, integers.length == 0 ? reals.get(i).longValue() : integers[i]);
      }
    }
    return tensor;
  }

  private static String attribute(ElementType type) {
    return switch (type) {
      case FLOAT32 -> "fp32_values";
      case FLOAT64 -> "fp64_values";
      case INT32 -> "int32_values";
      case INT64 -> "int64_values";
      case BOOL -> "bool_values";
      default -> throw new OperatorException("no attribute has values of " + type);
    };
  }
}
