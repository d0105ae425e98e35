package dev.sublet.runtime.kernel;

import dev.sublet.program.DataType;
import dev.sublet.runtime.tensor.ElementType;
import java.util.Optional;

/** Conversion of a program's data types to the element types of tensors. */
public final class ElementTypes {

  private ElementTypes() {}

  /**
   * Returns the element type for the number in an attribute such as {@code dtype}.
   *
   * @param absent the result if the number is negative
   * @throws OperatorException if tensors of this type cannot be computed with
   */
  public static ElementType ofNumber(long number, ElementType absent) {
    if (number < 0) {
      return absent;
    }
    for (DataType type : DataType.values()) {
      if (type.number() == number) {
        return ofMicroPrograms(type);
      }
    }
    throw new OperatorException("element type number " + number + " is not known");
  }

  private static ElementType ofMicroPrograms(DataType type) {
    return find(type)
        .filter(found -> found.carrier() == found)
        .orElseThrow(
            () -> new OperatorException("tensors of " + type + " cannot be computed with"));
  }

  /** Returns the element type of a program's data type; empty if tensors cannot have it. */
  public static Optional<ElementType> find(DataType type) {
    return switch (type) {
      case FP32 -> Optional.of(ElementType.FLOAT32);
      case FP64 -> Optional.of(ElementType.FLOAT64);
      case INT32 -> Optional.of(ElementType.INT32);
      case INT64 -> Optional.of(ElementType.INT64);
      case BOOL -> Optional.of(ElementType.BOOL);
      case UINT8 -> Optional.of(ElementType.UINT8);
      case INT8 -> Optional.of(ElementType.INT8);
      case FP16 -> Optional.of(ElementType.FLOAT16);
      case BF16 -> Optional.of(ElementType.BFLOAT16);
      case INT16 -> Optional.of(ElementType.INT16);
      case UINT16 -> Optional.of(ElementType.UINT16);
      case UINT32 -> Optional.of(ElementType.UINT32);
      case UINT64 -> Optional.of(ElementType.UINT64);
      default -> Optional.empty();
    };
  }
}
