package dev.sublet.operator.infer;

import dev.sublet.program.DataType;

/**
 * The numbers that the element types represent exactly.
 *
 * <p>Elements are followed as doubles. If a type cannot represent a number, a runtime wraps or
 * rounds it, perhaps in its own way.
 */
final class NumberTypes {

  /** The bound up to which every whole number is a double. */
  private static final double MAX_WHOLE = 0x1p53;

  /** The nearest double to the largest int64, which programs use for "to the end". */
  private static final double TO_THE_END = 0x1p63;

  private NumberTypes() {}

  /** Whether a type represents a number exactly. Fractions of types of 16 bits do not count. */
  static boolean represents(DataType type, double value) {
    return switch (type) {
      case BOOL -> isWhole(value, 0, 1);
      case INT8 -> isWhole(value, Byte.MIN_VALUE, Byte.MAX_VALUE);
      case UINT8 -> isWhole(value, 0, 0xff);
      case INT16 -> isWhole(value, Short.MIN_VALUE, Short.MAX_VALUE);
      case UINT16 -> isWhole(value, 0, 0xffff);
      case INT32 -> isWhole(value, Integer.MIN_VALUE, Integer.MAX_VALUE);
      case UINT32 -> isWhole(value, 0, 0xffff_ffffL);
      case INT64 -> isWhole(value, -MAX_WHOLE, MAX_WHOLE) || Math.abs(value) == TO_THE_END;
      case UINT64, SIZE_T -> isWhole(value, 0, MAX_WHOLE);
      case FP32 -> (float) value == value && !Double.isInfinite(value);
      case FP16 -> isWhole(value, -0x1p11, 0x1p11);
      case BF16 -> isWhole(value, -0x1p8, 0x1p8);
      default -> !Double.isNaN(value) && !Double.isInfinite(value);
    };
  }

  /**
   * Whether a type represents a bound, and all whole numbers from 0 up to it, exactly.
   *
   * @param bound not negative
   */
  static boolean representsUpTo(DataType type, double bound) {
    return represents(type, bound) && (type != DataType.FP32 || bound <= 0x1p24);
  }

  private static boolean isWhole(double value, double least, double most) {
    return value == Math.rint(value) && least <= value && value <= most;
  }
}
