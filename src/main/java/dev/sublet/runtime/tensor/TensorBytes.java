package dev.sublet.runtime.tensor;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.primitives.ImmutableLongArray;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Conversion of tensors to and from bytes: the elements in row-major order, little-endian, one byte
 * per boolean. Files and arenas contain tensors in this form. O(bytes) throughout.
 */
public final class TensorBytes {

  private TensorBytes() {}

  /**
   * Returns the number of bytes of the elements.
   *
   * @throws IllegalArgumentException if an extent is negative
   * @throws TooLargeException if the number of elements or bytes exceeds {@link Long#MAX_VALUE}
   */
  public static long size(ElementType type, ImmutableLongArray shape) {
    long count = Tensor.count(shape);
    if (count > Long.MAX_VALUE / type.bytes()) {
      throw new TooLargeException("the bytes of " + shape + " are too many to be counted");
    }
    return count * type.bytes();
  }

  /**
   * Returns the elements as bytes.
   *
   * @throws TooLargeException if there are more bytes than an array can have
   */
  public static byte[] of(Tensor tensor) {
    long size = size(tensor.type(), tensor.shape());
    if (size > Integer.MAX_VALUE - 8) {
      throw new TooLargeException(
          "the " + size + " bytes of " + tensor.shape() + " are more than an array can have");
    }
    byte[] bytes = new byte[(int) size];
    put(tensor, bytes, 0);
    return bytes;
  }

  /** Writes the elements into an array, starting at a position. */
  public static void put(Tensor tensor, byte[] target, int position) {
    ByteBuffer bytes = at(target, position);
    switch (tensor.type()) {
      case FLOAT32 -> bytes.asFloatBuffer().put(tensor.floats());
      case FLOAT64 -> bytes.asDoubleBuffer().put(tensor.doubles());
      case INT32, UINT32 -> bytes.asIntBuffer().put(tensor.ints());
      case INT64, UINT64 -> bytes.asLongBuffer().put(tensor.longs());
      case FLOAT16, BFLOAT16, INT16, UINT16 -> bytes.asShortBuffer().put(tensor.shorts());
      case BOOL, UINT8, INT8 -> bytes.put(tensor.bytes());
    }
  }

  /**
   * Reads elements from an array, starting at a position.
   *
   * @throws IllegalArgumentException if the type is BOOL and a byte is neither 0 nor 1
   */
  public static Tensor get(
      ElementType type, ImmutableLongArray shape, byte[] source, int position) {
    ByteBuffer bytes = at(source, position);
    int length = Tensor.length(shape);
    return switch (type) {
      case FLOAT32 -> {
        float[] elements = new float[length];
        bytes.asFloatBuffer().get(elements);
        yield Tensor.of(shape, elements);
      }
      case FLOAT64 -> {
        double[] elements = new double[length];
        bytes.asDoubleBuffer().get(elements);
        yield Tensor.of(shape, elements);
      }
      case INT32, UINT32 -> {
        int[] elements = new int[length];
        bytes.asIntBuffer().get(elements);
        yield type == ElementType.INT32
            ? Tensor.of(shape, elements)
            : Tensor.ofUnsigned(shape, elements);
      }
      case INT64, UINT64 -> {
        long[] elements = new long[length];
        bytes.asLongBuffer().get(elements);
        yield type == ElementType.INT64
            ? Tensor.of(shape, elements)
            : Tensor.ofUnsigned(shape, elements);
      }
      case FLOAT16, BFLOAT16, INT16, UINT16 -> {
        short[] elements = new short[length];
        bytes.asShortBuffer().get(elements);
        yield Tensor.ofShorts(type, shape, elements);
      }
      case BOOL -> {
        byte[] elements = new byte[length];
        bytes.get(elements);
        for (byte element : elements) {
          checkArgument(element == 0 || element == 1, "%s is not a boolean", element);
        }
        yield Tensor.ofBooleans(shape, elements);
      }
      case UINT8, INT8 -> {
        byte[] elements = new byte[length];
        bytes.get(elements);
        yield Tensor.ofBytes(type, shape, elements);
      }
    };
  }

  private static ByteBuffer at(byte[] bytes, int position) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).position(position);
  }
}
