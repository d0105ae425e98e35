package dev.sublet.runtime.memory;

import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.diag.ByteText;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;
import dev.sublet.runtime.tensor.TensorBytes;

/**
 * A range of bytes of an arena: the location of a variable at some moment. Two ranges are equal if
 * they are the same bytes of the same arena.
 *
 * @param arena the arena
 * @param offset the first byte
 * @param bytes the number of bytes
 */
record ByteRange(ArenaBytes arena, long offset, long bytes) {

  /** Returns one of some equal parts of the range. */
  ByteRange slot(long index, long slots) {
    long each = bytes / slots;
    return new ByteRange(arena, offset + index * each, each);
  }

  /** Returns the offset after the last byte. */
  long end() {
    return offset + bytes;
  }

  /** Returns the first byte of the overlap of two ranges. Meaningful only if they overlap. */
  long commonBegin(ByteRange other) {
    return Math.max(offset, other.offset);
  }

  /** Returns the offset after the overlap of two ranges. Meaningful only if they overlap. */
  long commonEnd(ByteRange other) {
    return Math.min(end(), other.end());
  }

  /** Whether two ranges have a byte in common. */
  boolean overlaps(ByteRange other) {
    return arena.equals(other.arena) && commonBegin(other) < commonEnd(other);
  }

  /**
   * Returns the tensor of a type and shape at the beginning of the range.
   *
   * @throws OperatorException if the tensor is larger than the range, or the type is BOOL and a
   *     byte is neither 0 nor 1
   */
  Tensor get(ElementType type, ImmutableLongArray shape) {
    checkSize(type, shape);
    return arena.get(type, shape, offset);
  }

  /**
   * Writes a tensor to the beginning of the range.
   *
   * @throws OperatorException if the tensor is larger than the range
   */
  void put(Tensor tensor) {
    checkSize(tensor.type(), tensor.shape());
    arena.put(tensor, offset);
  }

  /**
   * Checks that a tensor is not larger than the range.
   *
   * @throws OperatorException if it is
   */
  void checkSize(ElementType type, ImmutableLongArray shape) {
    long size = TensorBytes.size(type, shape);
    if (size > bytes) {
      throw new OperatorException(
          "the plan gives it "
              + ByteText.inWords(bytes)
              + ", but "
              + type
              + shape
              + " takes "
              + ByteText.exact(size));
    }
  }
}
