package dev.sublet.runtime.tensor;

import com.google.common.collect.ImmutableList;
import java.util.Arrays;
import java.util.Optional;

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
  INT8("int8", 1),
  /** IEEE 754 half precision. */
  FLOAT16("float16", 2),
  /** The upper half of a single precision number. */
  BFLOAT16("bfloat16", 2),
  /** A signed integer. */
  INT16("int16", 2),
  /** 0 to 65,535. */
  UINT16("uint16", 2),
  /** 0 to 2^32 - 1. */
  UINT32("uint32", 4),
  /** 0 to 2^64 - 1. */
  UINT64("uint64", 8);

  private static final ImmutableList<ElementType> MICRO =
      Arrays.stream(values())
          .filter(type -> type.carrier() == type)
          .collect(ImmutableList.toImmutableList());

  private final String text;
  private final int bytes;

  ElementType(String text, int bytes) {
    this.text = text;
    this.bytes = bytes;
  }

  /** Returns the types of micro programs. */
  public static ImmutableList<ElementType> ofMicroPrograms() {
    return MICRO;
  }

  /**
   * Returns the type with a number of ONNX's {@code TensorProto.DataType}; empty if tensors cannot
   * have it.
   */
  public static Optional<ElementType> ofOnnx(long number) {
    return switch ((int) number) {
      case 1 -> Optional.of(FLOAT32);
      case 2 -> Optional.of(UINT8);
      case 3 -> Optional.of(INT8);
      case 4 -> Optional.of(UINT16);
      case 5 -> Optional.of(INT16);
      case 6 -> Optional.of(INT32);
      case 7 -> Optional.of(INT64);
      case 9 -> Optional.of(BOOL);
      case 10 -> Optional.of(FLOAT16);
      case 11 -> Optional.of(FLOAT64);
      case 12 -> Optional.of(UINT32);
      case 13 -> Optional.of(UINT64);
      case 16 -> Optional.of(BFLOAT16);
      default -> Optional.empty();
    };
  }

  /** Returns the number of bytes of one element, in memory and in files. */
  public int bytes() {
    return bytes;
  }

  /** Whether the elements are floating-point numbers. */
  public boolean isFloating() {
    return this == FLOAT32 || this == FLOAT64 || this == FLOAT16 || this == BFLOAT16;
  }

  /**
   * The type of micro programs that can represent every element of this type; this type itself if
   * micro programs have it. Of UINT64 it has the same bits: it represents the elements from 2^63 on
   * as negative numbers.
   */
  public ElementType carrier() {
    return switch (this) {
      case FLOAT16, BFLOAT16 -> FLOAT32;
      case INT16, UINT16 -> INT32;
      case UINT32, UINT64 -> INT64;
      default -> this;
    };
  }

  /**
   * Whether the elements are integers of 8 bits. Such elements are stored, moved, compared and
   * converted, but there is no arithmetic on them.
   */
  public boolean isNarrow() {
    return this == UINT8 || this == INT8;
  }

  /**
   * Returns the value of an element after an integer is stored in it. Integers of up to 32 bits
   * wrap; a BOOL becomes 0 or 1; the other types return the integer unchanged.
   */
  public long wrapped(long value) {
    return switch (this) {
      case INT32 -> (int) value;
      case UINT8 -> value & 0xff;
      case INT8 -> (byte) value;
      case INT16 -> (short) value;
      case UINT16 -> value & 0xffff;
      case UINT32 -> value & 0xffffffffL;
      case BOOL -> value != 0 ? 1 : 0;
      case INT64, UINT64, FLOAT32, FLOAT64, FLOAT16, BFLOAT16 -> value;
    };
  }

  /** Returns the name of the type, such as {@code float32}. */
  @Override
  public String toString() {
    return text;
  }
}
