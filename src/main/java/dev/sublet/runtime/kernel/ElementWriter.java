package dev.sublet.runtime.kernel;

import dev.sublet.runtime.tensor.HalfPrecision;
import dev.sublet.runtime.tensor.Tensor;

/** Writes elements of new tensors, before other code has a reference to them. */
public final class ElementWriter {

  private ElementWriter() {}

  /** Sets an element of a floating-point tensor. */
  public static void put(Tensor tensor, int index, double value) {
    switch (tensor.type()) {
      case FLOAT32 -> tensor.floats()[index] = (float) value;
      case FLOAT64 -> tensor.doubles()[index] = value;
      case FLOAT16 -> tensor.shorts()[index] = HalfPrecision.toFloat16((float) value);
      case BFLOAT16 -> tensor.shorts()[index] = HalfPrecision.toBfloat16((float) value);
      default -> throw new AssertionError(tensor.type());
    }
  }

  /** Sets an element of a tensor of integers or booleans. */
  public static void put(Tensor tensor, int index, long value) {
    switch (tensor.type()) {
      case INT32, UINT32 -> tensor.ints()[index] = (int) value;
      case INT64, UINT64 -> tensor.longs()[index] = value;
      case INT16, UINT16 -> tensor.shorts()[index] = (short) value;
      case BOOL, UINT8, INT8 -> tensor.bytes()[index] = (byte) tensor.type().wrapped(value);
      default -> throw new AssertionError(tensor.type());
    }
  }

  /**
   * Copies consecutive elements to a tensor of the same type.
   *
   * @throws OperatorException if one of the tensors has another type, or too few elements
   */
  public static void copy(Tensor from, int fromIndex, Tensor to, int toIndex, int count) {
    check(from, fromIndex, to, toIndex, count);
    System.arraycopy(array(from), fromIndex, array(to), toIndex, count);
  }

  /**
   * Checks that consecutive elements of one tensor can be copied to another tensor.
   *
   * @throws OperatorException if one of them has another type, or too few elements
   */
  public static void check(Tensor from, int fromIndex, Tensor to, int toIndex, int count) {
    if (from.type() != to.type()
        || count < 0
        || fromIndex < 0
        || fromIndex > from.length() - count
        || toIndex < 0
        || toIndex > to.length() - count) {
      throw new OperatorException(
          String.format(
              "%d elements of %s%s from %d on cannot become those of %s%s from %d on",
              count, from.type(), from.shape(), fromIndex, to.type(), to.shape(), toIndex));
    }
  }

  private static Object array(Tensor tensor) {
    return switch (tensor.type()) {
      case FLOAT32 -> tensor.floats();
      case FLOAT64 -> tensor.doubles();
      case INT32, UINT32 -> tensor.ints();
      case INT64, UINT64 -> tensor.longs();
      case FLOAT16, BFLOAT16, INT16, UINT16 -> tensor.shorts();
      case BOOL, UINT8, INT8 -> tensor.bytes();
    };
  }

  /** Returns a copy of a tensor that may be changed. */
  public static Tensor duplicate(Tensor tensor) {
    Tensor copy = Tensor.zeros(tensor.type(), tensor.shape());
    copy(tensor, 0, copy, 0, tensor.length());
    return copy;
  }
}
