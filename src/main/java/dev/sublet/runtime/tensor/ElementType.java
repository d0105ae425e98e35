package dev.sublet.runtime.tensor;

/** The type of the elements of a tensor. */
public enum ElementType {
  /** IEEE 754 single precision. */
  FLOAT32("float32", 4),
  /** IEEE 754 double precision. */
  FLOAT64("float64", 8),
  /** A signed integer. */
  INT32("int32", 4),
  /** A signed integer. */
  INT64("int64", 8),
  /** 0 or 1. */
  BOOL("bool", 1),
  /** 0 to 255. */
  UINT8("uint8", 1),
  /** -128 to 127. */
  INT8("int8", 1);

  private final String text;
  private final int bytes;

  ElementType(String text, int bytes) {
    this.text = text;
    this.bytes = bytes;
  }

  /** Returns the number of bytes of one element, in memory and in files. */
  public int bytes() {
    return bytes;
  }

  /** Whether the elements are floating-point numbers. */
  public boolean isFloating() {
    return this == FLOAT32 || this == FLOAT64;
  }

  /**
   * Whether the elements are integers of 8 bits. Such elements are stored, moved, compared and
   * converted, but there is no arithmetic on them.
   */
  public boolean isNarrow() {
    return this == UINT8 || this == INT8;
  }

  /**
   * Returns the value of an element after an integer is stored in it. INT32, UINT8 and INT8 wrap; a
   * BOOL becomes 0 or 1; the other types return the integer unchanged.
   */
  public long wrapped(long value) {
    return switch (this) {
      case INT32 -> (int) value;
      case UINT8 -> value & 0xff;
      case INT8 -> (byte) value;
      case BOOL -> value != 0 ? 1 : 0;
      case INT64, FLOAT32, FLOAT64 -> value;
    };
  }

  /** Returns the name of the type, such as {@code float32}. */
  @Override
  public String toString() {
    return text;
  }
}
