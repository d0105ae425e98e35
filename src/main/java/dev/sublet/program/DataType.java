package dev.sublet.program;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Maps;
import java.util.EnumSet;

/**
 * A tensor's element type, with the width of one element.
 *
 * <p>Source: {@code VarType.Type} and {@code SizeOfType} of Paddle.
 */
public enum DataType {
  /** A truth value. */
  BOOL(0, 1),
  /** A signed integer. */
  INT16(1, 2),
  /** A signed integer. */
  INT32(2, 4),
  /** A signed integer. */
  INT64(3, 8),
  /** IEEE 754 half precision. */
  FP16(4, 2),
  /** IEEE 754 single precision. */
  FP32(5, 4),
  /** IEEE 754 double precision. */
  FP64(6, 8),
  /** The C++ type {@code size_t}: an unsigned integer of 64 bits. */
  SIZE_T(19, 8),
  /** An unsigned integer. */
  UINT8(20, 1),
  /** A signed integer. */
  INT8(21, 1),
  /** The upper half of a single precision number. */
  BF16(22, 2),
  /** Two single precision numbers. */
  COMPLEX64(23, 8),
  /** Two double precision numbers. */
  COMPLEX128(24, 16),
  /** 4 bits of exponent, 3 of mantissa, no infinities. */
  FP8_E4M3FN(32, 1),
  /** 5 bits of exponent, 2 of mantissa, following the conventions of IEEE 754. */
  FP8_E5M2(33, 1),
  // Paddle does not have the types from here on; their numbers are Sublet's own, for ONNX.
  /** An unsigned integer. */
  UINT16(1004, 2),
  /** An unsigned integer. */
  UINT32(1012, 4),
  /** An unsigned integer. */
  UINT64(1013, 8),
  /** As {@link #FP8_E4M3FN}, with another bias and no negative zero. */
  FP8_E4M3FNUZ(1018, 1),
  /** As {@link #FP8_E5M2}, with another bias, no infinities and no negative zero. */
  FP8_E5M2FNUZ(1020, 1),
  /** A power of two: 8 bits of exponent alone. */
  FP8_E8M0(1024, 1),
  /**
   * An unsigned integer of 4 bits. Whether two elements share a byte is a runtime's choice, so each
   * element counts as one byte.
   */
  UINT4(1021, 1),
  /** A signed integer of 4 bits; as {@link #UINT4}. */
  INT4(1022, 1),
  /** 2 bits of exponent, 1 of mantissa; as {@link #UINT4}. */
  FP4_E2M1(1023, 1),
  /** A type without a fixed width, or one from a newer Paddle. */
  UNKNOWN(-1, 0);

  private static final ImmutableMap<Integer, DataType> BY_NUMBER =
      Maps.uniqueIndex(EnumSet.allOf(DataType.class), DataType::number);

  private final int number;
  private final int bytes;

  DataType(int number, int bytes) {
    this.number = number;
    this.bytes = bytes;
  }

  static DataType ofNumber(int number) {
    return BY_NUMBER.getOrDefault(number, UNKNOWN);
  }

  /**
   * The number of this type in the file format; 1000 or more for the types that Sublet adds; or -1.
   */
  public int number() {
    return number;
  }

  /** The bytes of one element; 0 if unknown. */
  public int bytes() {
    return bytes;
  }
}
