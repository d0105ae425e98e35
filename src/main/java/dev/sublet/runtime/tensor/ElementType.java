package dev.sublet.runtime.tensor;

/** What the elements of a tensor are. */
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

  /** Bytes of one element in memory and in files. */
  public int bytes() {
    return bytes;
  }

  /** Whether the elements are floating-point numbers. */
  public boolean isFloating() {
    return this == FLOAT32 || this == FLOAT64;
  }

  /**
   * Whether the elements are integers of 8 bits: they are kept, moved, compared and converted, but
   * not computed with.
   */
  public boolean isNarrow() {
    return this == UINT8 || this == INT8;
  }

  /** The integer that is left of one when it is put into an element: INT32, UINT8, INT8 wrap. */
  public long wrapped(long value) {
    return switch (this) {
      case INT32 -> (int) value;
      case UINT8 -> value & 0xff;
      case INT8 -> (byte) value;
      case BOOL -> value != 0 ? 1 : 0;
      case INT64, FLOAT32, FLOAT64 -> value;
    };
  }

  /** The name in texts, such as {@code float32}. */
  @Override
  public String toString() {
    return text;
  }
}
