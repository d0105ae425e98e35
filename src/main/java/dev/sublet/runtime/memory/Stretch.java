package dev.sublet.runtime.memory;

import static java.util.Objects.requireNonNull;

import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;
import dev.sublet.runtime.tensor.TensorBytes;

/**
 * The bytes that a variable has at some moment. Equal to another one if both are the same bytes of
 * the same arena.
 *
 * @param arena whose bytes they are
 * @param offset the first one
 * @param bytes how many
 */
record Stretch(ArenaBytes arena, long offset, long bytes) {

  Stretch {
    requireNonNull(arena, "arena");
  }

  /** The first byte behind it. */
  long end() {
    return offset + bytes;
  }

  /** The first byte that both would have if they overlapped. */
  long commonBegin(Stretch other) {
    return Math.max(offset, other.offset);
  }

  /** The first byte behind those that both would have if they overlapped. */
  long commonEnd(Stretch other) {
    return Math.min(end(), other.end());
  }

  /** Whether the two have a byte in common. */
  boolean overlaps(Stretch other) {
    return arena.equals(other.arena) && commonBegin(other) < commonEnd(other);
  }

  /**
   * The tensor of a type and shape that lies at the beginning.
   *
   * @throws OperatorException if it is larger, or its bytes are no booleans
   */
  Tensor get(ElementType type, ImmutableLongArray shape) {
    checkSize(type, shape);
    return arena.get(type, shape, offset);
  }

  /**
   * Writes a tensor to the beginning.
   *
   * @throws OperatorException if it is larger
   */
  void put(Tensor tensor) {
    checkSize(tensor.type(), tensor.shape());
    arena.put(tensor, offset);
  }

  /**
   * Checks that a tensor is not larger.
   *
   * @throws OperatorException if it is
   */
  void checkSize(ElementType type, ImmutableLongArray shape) {
    long size = TensorBytes.size(type, shape);
    if (size > bytes) {
      throw new OperatorException(
          "the plan gives it " + bytes + " bytes, but " + type + shape + " takes " + size);
    }
  }
}
