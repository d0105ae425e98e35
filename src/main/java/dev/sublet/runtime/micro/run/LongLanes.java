package dev.sublet.runtime.micro.run;

import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.ir.ReduceOperator;
import dev.sublet.runtime.tensor.ElementType;

/** Loops over lanes of integers and booleans, for all array types of their tensors. */
final class LongLanes {

  private LongLanes() {}

  /** Loads lanes {@code from} to before {@code to} from elements a stride apart. */
  static void load(Buffer buffer, int first, int stride, long[] values, int from, int to) {
    int at = first;
    switch (buffer.type) {
      case INT32 -> {
        for (int lane = from; lane < to; lane++, at += stride) {
          values[lane] = buffer.ints[at];
        }
      }
      case INT64 -> {
        for (int lane = from; lane < to; lane++, at += stride) {
          values[lane] = buffer.longs[at];
        }
      }
      case BOOL, INT8 -> {
        for (int lane = from; lane < to; lane++, at += stride) {
          values[lane] = buffer.bytes[at];
        }
      }
      case UINT8 -> {
        for (int lane = from; lane < to; lane++, at += stride) {
          values[lane] = buffer.bytes[at] & 0xff;
        }
      }
      default -> throw new AssertionError(buffer.type);
    }
  }

  /** Loads lanes from elements at any offsets; a negative offset gives {@code outside}. */
  static void gather(Buffer buffer, long[] offsets, long outside, long[] values, int lanes) {
    for (int lane = 0; lane < lanes; lane++) {
      int offset = (int) offsets[lane];
      values[lane] = offset < 0 ? outside : get(buffer, offset);
    }
  }

  /** Stores lanes {@code from} to before {@code to} into elements a stride apart, in order. */
  static void store(Buffer buffer, int first, int stride, long[] values, int from, int to) {
    int at = first;
    for (int lane = from; lane < to; lane++) {
      put(buffer, at, values[lane]);
      at += stride;
    }
  }

  /** Folds the lanes in bounds of an address into its elements, in order. */
  static void accumulate(
      ReduceOperator operator, Buffer buffer, RangeAddress address, long[] values) {
    int at = address.first;
    int stride = address.stride();
    int to = address.to;
    for (int lane = address.from; lane < to; lane++) {
      put(buffer, at, fold(operator, buffer.type, get(buffer, at), values[lane]));
      at += stride;
    }
  }

  /** Returns an element. */
  static long get(Buffer buffer, int offset) {
    return switch (buffer.type) {
      case INT32 -> buffer.ints[offset];
      case INT64 -> buffer.longs[offset];
      case BOOL, INT8 -> buffer.bytes[offset];
      case UINT8 -> buffer.bytes[offset] & 0xff;
      default -> throw new AssertionError(buffer.type);
    };
  }

  /** Writes an element. */
  static void put(Buffer buffer, int offset, long value) {
    switch (buffer.type) {
      case INT32 -> buffer.ints[offset] = (int) value;
      case INT64 -> buffer.longs[offset] = value;
      case BOOL, UINT8, INT8 -> buffer.bytes[offset] = (byte) value;
      default -> throw new AssertionError(buffer.type);
    }
  }

  /** Returns a sum into which one value is folded. */
  static long fold(ReduceOperator operator, ElementType type, long sum, long value) {
    return switch (operator) {
      case SUM -> Operators.wrap(type, sum + value);
      case PRODUCT -> Operators.wrap(type, sum * value);
      case MAXIMUM -> Math.max(sum, value);
      case MINIMUM -> Math.min(sum, value);
      case ARGMAX, ARGMIN -> throw new AssertionError(operator);
    };
  }

  /** Applies a function to the lanes of two arrays. */
  static void binary(
      BinaryOperator operator, ElementType type, long[] x, long[] y, long[] z, int lanes) {
    for (int lane = 0; lane < lanes; lane++) {
      z[lane] = Operators.wrap(type, Operators.apply(operator, x[lane], y[lane]));
    }
  }

  /** Compares the lanes of two arrays; the results are 1 or 0. */
  static void compare(BinaryOperator operator, long[] x, long[] y, long[] z, int lanes) {
    for (int lane = 0; lane < lanes; lane++) {
      z[lane] = Operators.compare(operator, x[lane], y[lane]) ? 1 : 0;
    }
  }
}
