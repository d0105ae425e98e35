package dev.sublet.runtime.kernel;

import dev.sublet.runtime.tensor.Tensor;

/** Fills tensors that nobody else has seen yet. */
public final class ElementWriter {

  private ElementWriter() {}

  /** Puts a number into a floating-point tensor. */
  public static void put(Tensor tensor, int index, double value) {
    switch (tensor.type()) {
      case FLOAT32 -> tensor.floats()[index] = (float) value;
      case FLOAT64 -> tensor.doubles()[index] = value;
      default -> throw new AssertionError(tensor.type());
    }
  }

  /** Puts an integer into a tensor of integers or booleans. */
  public static void put(Tensor tensor, int index, long value) {
    switch (tensor.type()) {
      case INT32 -> tensor.ints()[index] = (int) value;
      case INT64 -> tensor.longs()[index] = value;
      case BOOL, UINT8, INT8 -> tensor.bytes()[index] = (byte) tensor.type().wrapped(value);
      default -> throw new AssertionError(tensor.type());
    }
  }

  /**
   * Copies elements that lie one behind the other to a tensor of the same type.
   *
   * @throws OperatorException if one of the tensors has another type, or not so many elements
   */
  public static void copy(Tensor from, int fromIndex, Tensor to, int toIndex, int count) {
    check(from, fromIndex, to, toIndex, count);
    System.arraycopy(array(from), fromIndex, array(to), toIndex, count);
  }

  /**
   * Checks that some elements of a tensor can become some of another one.
   *
   * @throws OperatorException if one of them has another type, or not so many elements
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
      case INT32 -> tensor.ints();
      case INT64 -> tensor.longs();
      case BOOL, UINT8, INT8 -> tensor.bytes();
    };
  }

  /** A tensor of the same type, shape and elements that may be changed. */
  public static Tensor duplicate(Tensor tensor) {
    Tensor copy = Tensor.zeros(tensor.type(), tensor.shape());
    copy(tensor, 0, copy, 0, tensor.length());
    return copy;
  }
}
