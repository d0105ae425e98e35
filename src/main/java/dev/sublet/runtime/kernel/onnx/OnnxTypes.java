package dev.sublet.runtime.kernel.onnx;

import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.tensor.ElementType;
import java.util.Locale;

/** The element types for the numbers of ONNX's {@code TensorProto.DataType}. */
public final class OnnxTypes {

  private OnnxTypes() {}

  /**
   * Returns the element type for a number.
   *
   * @throws OperatorException if tensors of this type cannot be computed with
   */
  public static ElementType ofNumber(long number) {
    return ElementType.ofOnnx(number)
        .orElseThrow(() -> new OperatorException("tensors of ONNX's element type " + number));
  }

  /**
   * Returns the element type in an attribute: a number, or a name as before opset 6.
   *
   * @throws OperatorException if there is no such attribute
   */
  public static ElementType ofNumberOrName(OperatorCall call, String attribute) {
    String name = call.text(attribute, "").toLowerCase(Locale.ROOT);
    for (ElementType type : ElementType.values()) {
      if (type.toString().equals(name)) {
        return type;
      }
    }
    return switch (name) {
      case "float" -> ElementType.FLOAT32;
      case "double" -> ElementType.FLOAT64;
      default -> ofNumber(call.integer(attribute, 0));
    };
  }

  /** Returns the element type whose number an attribute has, or the default. */
  public static ElementType of(OperatorCall call, String attribute, ElementType absent) {
    return call.operation().attribute(attribute).isPresent()
        ? ofNumber(call.integer(attribute, 0))
        : absent;
  }
}
