package dev.sublet.execute;

import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.Arena;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.tensor.ElementType;
import dev.sublet.tensor.Tensor;
import dev.sublet.tensor.TensorBytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The bytes of a plan's arenas. What nothing has written is poison. */
final class Arenas {

  /**
   * Where four bytes begin at a multiple of 4, this little-endian pattern: a NaN as a float, twice
   * a NaN as a double, far out of range as an integer, and nowhere a boolean.
   */
  private static final byte[] POISON = {(byte) 0xAD, (byte) 0xDE, (byte) 0xFF, (byte) 0xFF};

  private final List<byte[]> arenas = new ArrayList<>();

  /**
   * Arenas full of poison.
   *
   * @throws OperatorException if one is larger than 2 GiB
   */
  Arenas(MemoryPlan plan) {
    for (Arena arena : plan.arenas()) {
      if (arena.bytes() > Integer.MAX_VALUE - 8) {
        throw new OperatorException(
            "an arena of " + arena.bytes() + " bytes is more than can be run in, which is 2 GiB");
      }
      arenas.add(new byte[(int) arena.bytes()]);
      poison(arenas.size() - 1, 0, arena.bytes());
    }
  }

  /** Fills bytes with poison: from one on and before another. O(bytes). */
  void poison(int arena, long from, long to) {
    byte[] bytes = arenas.get(arena);
    for (int i = (int) from; i < to; i++) {
      bytes[i] = POISON[i & 3];
    }
  }

  /** A copy of bytes: from one on and before another. O(bytes). */
  byte[] copy(int arena, long from, long to) {
    return Arrays.copyOfRange(arenas.get(arena), (int) from, (int) to);
  }

  /** Whether bytes are still as in a copy of them. O(bytes). */
  boolean isUnchanged(int arena, long from, byte[] copy) {
    int begin = (int) from;
    return Arrays.equals(arenas.get(arena), begin, begin + copy.length, copy, 0, copy.length);
  }

  /**
   * The tensor of a type and shape that lies at the beginning of a place.
   *
   * @throws OperatorException if it is larger than the place, or its bytes are no booleans
   */
  Tensor get(ElementType type, ImmutableLongArray shape, Allocation allocation) {
    checkSize(type, shape, allocation);
    try {
      return TensorBytes.get(
          type, shape, arenas.get(allocation.arena()), (int) allocation.offset());
    } catch (IllegalArgumentException e) {
      throw new OperatorException("its bytes in the arena are garbage: " + e.getMessage());
    }
  }

  /**
   * Writes a tensor to the beginning of a place.
   *
   * @throws OperatorException if it is larger than the place
   */
  void put(Tensor tensor, Allocation allocation) {
    checkSize(tensor.type(), tensor.shape(), allocation);
    TensorBytes.put(tensor, arenas.get(allocation.arena()), (int) allocation.offset());
  }

  /** A tensor of poison. */
  static Tensor poison(ElementType type, ImmutableLongArray shape) {
    int length = Tensor.length(shape);
    if (type == ElementType.BOOL) {
      return Tensor.zeros(type, shape);
    }
    byte[] bytes = new byte[length * type.bytes()];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = POISON[i & 3];
    }
    return TensorBytes.get(type, shape, bytes, 0);
  }

  private static void checkSize(ElementType type, ImmutableLongArray shape, Allocation allocation) {
    long size = TensorBytes.size(type, shape);
    if (size > allocation.bytes()) {
      throw new OperatorException(
          "the plan gives it "
              + allocation.bytes()
              + " bytes, but "
              + type
              + shape
              + " takes "
              + size);
    }
  }
}
