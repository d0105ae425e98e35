package dev.sublet.program;

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
  /** A type without a fixed width, or one from a newer Paddle. */
  UNKNOWN(-1, 0);

  private static final DataType[] BY_NUMBER = new DataType[34];

  static {
    for (DataType type : values()) {
      if (type.number >= 0) {
        BY_NUMBER[type.number] = type;
      }
    }
  }

  private final int number;
  private final int bytes;

  DataType(int number, int bytes) {
    this.number = number;
    this.bytes = bytes;
  }

  static DataType ofNumber(int number) {
    DataType type = number >= 0 && number < BY_NUMBER.length ? BY_NUMBER[number] : null;
    return type == null ? UNKNOWN : type;
  }

  /** The number of this type in the file format, or -1. */
  public int number() {
    return number;
  }

  /** Bytes of one element; 0 if unknown. */
  public int bytes() {
    return bytes;
  }
}
