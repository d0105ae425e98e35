package dev.sublet.runtime.tensor;

/**
 * Conversion of tensors to the element types of micro programs, and back.
 *
 * <pre>{@code
 * float16[2] 1.5, 0.1   carried: float32[2] 1.5, 0.099975586
 * }</pre>
 *
 * <p>A tensor without elements becomes another one. {@link #carried} is exact. {@link #restored}
 * rounds floating-point numbers to the nearest number of the type, and integers wrap. O(elements),
 * and O(1) if the types are equal.
 */
public final class Carriers {

  private Carriers() {}

  /** Returns a tensor with the same elements and the {@link ElementType#carrier} of its type. */
  public static Tensor carried(Tensor tensor) {
    ElementType carrier = tensor.type().carrier();
    if (carrier == tensor.type()) {
      return tensor;
    }
    if (!tensor.hasElements()) {
      return Tensor.withoutElements(carrier, tensor.shape());
    }
    int length = tensor.length();
    return switch (carrier) {
      case FLOAT32 -> {
        float[] elements = new float[length];
        for (int i = 0; i < length; i++) {
          elements[i] = (float) tensor.getDouble(i);
        }
        yield Tensor.of(tensor.shape(), elements);
      }
      case INT32 -> {
        int[] elements = new int[length];
        for (int i = 0; i < length; i++) {
          elements[i] = (int) tensor.getLong(i);
        }
        yield Tensor.of(tensor.shape(), elements);
      }
      case INT64 -> {
        long[] elements = new long[length];
        for (int i = 0; i < length; i++) {
          elements[i] = tensor.getLong(i);
        }
        yield Tensor.of(tensor.shape(), elements);
      }
      default -> throw new AssertionError(carrier);
    };
  }

  /**
   * Returns a tensor of a type with the elements of a tensor of the type's carrier, or of a wider
   * integer type.
   *
   * @throws IllegalArgumentException if one type is of floating-point numbers and the other is not
   */
  public static Tensor restored(Tensor tensor, ElementType type) {
    if (type == tensor.type()) {
      return tensor;
    }
    int length = tensor.length();
    return switch (type) {
      case FLOAT16, BFLOAT16 -> {
        short[] bits = new short[length];
        for (int i = 0; i < length; i++) {
          float number = tensor.floats()[i];
          bits[i] =
              type == ElementType.FLOAT16
                  ? HalfPrecision.toFloat16(number)
                  : HalfPrecision.toBfloat16(number);
        }
        yield Tensor.ofShorts(type, tensor.shape(), bits);
      }
      case INT16, UINT16 -> {
        short[] bits = new short[length];
        for (int i = 0; i < length; i++) {
          bits[i] = (short) integer(tensor, i);
        }
        yield Tensor.ofShorts(type, tensor.shape(), bits);
      }
      case INT8, UINT8 -> {
        byte[] bits = new byte[length];
        for (int i = 0; i < length; i++) {
          bits[i] = (byte) integer(tensor, i);
        }
        yield Tensor.ofBytes(type, tensor.shape(), bits);
      }
      case UINT32 -> {
        int[] bits = new int[length];
        for (int i = 0; i < length; i++) {
          bits[i] = (int) integer(tensor, i);
        }
        yield Tensor.ofUnsigned(tensor.shape(), bits);
      }
      case UINT64 -> Tensor.ofUnsigned(tensor.shape(), tensor.longs());
      default -> throw new IllegalArgumentException("elements of " + tensor.type() + " as " + type);
    };
  }

  private static long integer(Tensor tensor, int i) {
    if (tensor.type().isFloating()) {
      throw new IllegalArgumentException("elements of " + tensor.type() + " as integers");
    }
    return tensor.getLong(i);
  }
}
