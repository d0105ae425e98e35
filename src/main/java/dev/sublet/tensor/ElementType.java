package dev.sublet.tensor;

/** What the elements of a tensor are. */
public enum ElementType {
  FLOAT32("float32", 4),
  FLOAT64("float64", 8),
  INT32("int32", 4),
  INT64("int64", 8),
  /** 0 or 1. */
  BOOL("bool", 1);

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

  /** The name in texts, such as {@code float32}. */
  @Override
  public String toString() {
    return text;
  }
}
