package dev.sublet.runtime.memory;

import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;
import dev.sublet.runtime.tensor.TensorBytes;
import java.util.Arrays;

/** The bytes of an arena. What nothing has written is poison. */
final class ArenaBytes {

  /**
   * Where four bytes begin at a multiple of 4, this little-endian pattern: a NaN as a float, twice
   * a NaN as a double, far out of range as an integer, and nowhere a boolean.
   */
  private static final byte[] POISON = {(byte) 0xAD, (byte) 0xDE, (byte) 0xFF, (byte) 0xFF};

  /** The pattern many times, to copy from. */
  private static final byte[] MUCH_POISON = new byte[1 << 16];

  static {
    for (int i = 0; i < MUCH_POISON.length; i++) {
      MUCH_POISON[i] = POISON[i & 3];
    }
  }

  private final byte[] bytes;

  /**
   * An arena full of poison.
   *
   * @throws OperatorException if it is larger than 2 GiB
   */
  ArenaBytes(long size) {
    if (size > Integer.MAX_VALUE - 8) {
      throw new OperatorException(
          "an arena of " + size + " bytes is more than can be run in, which is 2 GiB");
    }
    bytes = new byte[(int) size];
    poison(0, size);
  }

  /** Fills bytes with poison: from one on and before another. O(bytes). */
  void poison(long from, long to) {
    poison(bytes, (int) from, (int) to);
  }

  private static void poison(byte[] bytes, int from, int to) {
    int position = from;
    while (position < to) {
      int skipped = position & 3;
      int length = Math.min(to - position, MUCH_POISON.length - skipped);
      System.arraycopy(MUCH_POISON, skipped, bytes, position, length);
      position += length;
    }
  }

  /** A copy of bytes: from one on and before another. O(bytes). */
  byte[] copy(long from, long to) {
    return Arrays.copyOfRange(bytes, (int) from, (int) to);
  }

  /** Whether bytes are still as in a copy of them. O(bytes). */
  boolean isUnchanged(long from, byte[] copy) {
    int begin = (int) from;
    return Arrays.equals(bytes, begin, begin + copy.length, copy, 0, copy.length);
  }

  /**
   * The tensor of a type and shape that begins at an offset.
   *
   * @throws OperatorException if its bytes are no booleans
   */
  Tensor get(ElementType type, ImmutableLongArray shape, long offset) {
    try {
      return TensorBytes.get(type, shape, bytes, (int) offset);
    } catch (IllegalArgumentException e) {
      throw new OperatorException("its bytes in the arena are garbage: " + e.getMessage());
    }
  }

  /** Writes a tensor that begins at an offset. */
  void put(Tensor tensor, long offset) {
    TensorBytes.put(tensor, bytes, (int) offset);
  }

  /** A tensor of poison. */
  static Tensor poison(ElementType type, ImmutableLongArray shape) {
    int length = Tensor.length(shape);
    if (type == ElementType.BOOL) {
      return Tensor.zeros(type, shape);
    }
    byte[] bytes = new byte[length * type.bytes()];
    poison(bytes, 0, bytes.length);
    return TensorBytes.get(type, shape, bytes, 0);
  }
}
