package dev.sublet.runtime.memory;

import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.diag.ByteText;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;
import dev.sublet.runtime.tensor.TensorBytes;
import java.util.Arrays;

/** The bytes of an arena. Bytes that nothing has written contain a poison pattern. */
final class ArenaBytes {

  /**
   * The poison pattern, little-endian, repeated from every multiple of 4. It is a NaN as a float,
   * and repeated twice a NaN as a double. As an integer of 32 or 64 bits it is negative, so it is
   * no valid index; no byte of it is a boolean.
   */
  private static final byte[] POISON = {(byte) 0xAD, (byte) 0xDE, (byte) 0xFF, (byte) 0xFF};

  /** The pattern many times, as a source for copies. */
  private static final byte[] MUCH_POISON = new byte[1 << 16];

  static {
    for (int i = 0; i < MUCH_POISON.length; i++) {
      MUCH_POISON[i] = POISON[i & 3];
    }
  }

  private final byte[] bytes;

  /**
   * Creates an arena that is full of poison.
   *
   * @throws OperatorException if it is larger than 2 GiB
   */
  ArenaBytes(long size) {
    if (size > Integer.MAX_VALUE - 8) {
      throw new OperatorException(
          "an arena of " + ByteText.inWords(size) + " is more than can be run in, which is 2 GiB");
    }
    bytes = new byte[(int) size];
    poison(0, size);
  }

  /** Fills the bytes from {@code from} to {@code to}, exclusive, with poison. O(bytes). */
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

  /** Returns a copy of the bytes from {@code from} to {@code to}, exclusive. O(bytes). */
  byte[] copy(long from, long to) {
    return Arrays.copyOfRange(bytes, (int) from, (int) to);
  }

  /** Whether the bytes from an offset on still equal an earlier copy of them. O(bytes). */
  boolean isUnchanged(long from, byte[] copy) {
    int begin = (int) from;
    return Arrays.equals(bytes, begin, begin + copy.length, copy, 0, copy.length);
  }

  /**
   * Returns the tensor of a type and shape that begins at an offset.
   *
   * @throws OperatorException if the type is BOOL and a byte is neither 0 nor 1
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

  /** Returns a tensor of poison; zeros for BOOL, which has no poison. */
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
