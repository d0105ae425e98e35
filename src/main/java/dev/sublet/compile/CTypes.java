package dev.sublet.compile;

import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.micro.emit.EmitC;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;

/** Element types, shapes and numbers as C. */
final class CTypes {

  private CTypes() {}

  /** Returns the C type of elements. */
  static String of(ElementType type) {
    return EmitC.type(type);
  }

  /** Returns the type of elements in headers of .npy files. */
  static String npy(ElementType type) {
    return switch (type) {
      case FLOAT32 -> "<f4";
      case FLOAT64 -> "<f8";
      case INT32 -> "<i4";
      case INT64 -> "<i8";
      case BOOL -> "|b1";
      case UINT8 -> "|u1";
      case INT8 -> "|i1";
      default -> throw new AssertionError(type);
    };
  }

  /** Returns a shape as Python writes it: {@code (2, 3)}, {@code (2,)}, {@code ()}. */
  static String tuple(ImmutableLongArray shape) {
    StringBuilder text = new StringBuilder("(");
    for (int axis = 0; axis < shape.length(); axis++) {
      text.append(axis == 0 ? "" : ", ").append(shape.get(axis));
    }
    return text.append(shape.length() == 1 ? ",)" : ")").toString();
  }

  /** Returns an element as a literal that stands for exactly its bits; all NaNs are equal. */
  static String literal(Tensor tensor, int i) {
    return switch (tensor.type()) {
      case FLOAT32 -> real(tensor.floats()[i], Float.toHexString(tensor.floats()[i]) + "f");
      case FLOAT64 -> real(tensor.doubles()[i], Double.toHexString(tensor.doubles()[i]));
      case INT64 ->
          tensor.longs()[i] == Long.MIN_VALUE ? "INT64_MIN" : "INT64_C(" + tensor.longs()[i] + ")";
      case INT32 ->
          tensor.ints()[i] == Integer.MIN_VALUE ? "INT32_MIN" : String.valueOf(tensor.ints()[i]);
      default -> String.valueOf(tensor.getLong(i));
    };
  }

  private static String real(double value, String text) {
    return Double.isNaN(value)
        ? "NAN"
        : Double.isInfinite(value) ? (value > 0 ? "INFINITY" : "-INFINITY") : text;
  }

  /** Returns a size as a constant of a type that is wide enough on every machine. */
  static String size(long value) {
    return value + (value <= 0xffffffffL ? "UL" : "ULL");
  }
}
