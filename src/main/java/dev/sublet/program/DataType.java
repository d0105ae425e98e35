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
  BOOL(0, 1),
  INT16(1, 2),
  INT32(2, 4),
  INT64(3, 8),
  FP16(4, 2),
  FP32(5, 4),
  FP64(6, 8),
  SIZE_T(19, 8),
  UINT8(20, 1),
  INT8(21, 1),
  BF16(22, 2),
  COMPLEX64(23, 8),
  COMPLEX128(24, 16),
  FP8_E4M3FN(32, 1),
  FP8_E5M2(33, 1),
  /** From here on types that Paddle does not have: the numbers are Sublet's own, for ONNX. */
  UINT16(1004, 2),
  UINT32(1012, 4),
  UINT64(1013, 8),
  FP8_E4M3FNUZ(1018, 1),
  FP8_E5M2FNUZ(1020, 1),
  FP8_E8M0(1024, 1),
  /** Two elements could share a byte; whether they do is a runtime's choice, so each has one. */
  UINT4(1021, 1),
  INT4(1022, 1),
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

  /** The number of this type in the file format; from 1000 on a number of Sublet's own; or -1. */
  public int number() {
    return number;
  }

  /** Bytes of one element; 0 if unknown. */
  public int bytes() {
    return bytes;
  }
}
