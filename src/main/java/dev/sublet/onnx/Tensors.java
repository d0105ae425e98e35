package dev.sublet.onnx;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableDoubleArray;
import com.google.common.primitives.ImmutableLongArray;
import com.google.protobuf.ByteString;
import dev.sublet.diag.ByteText;
import dev.sublet.diag.ProgramException;
import dev.sublet.program.DataType;
import dev.sublet.program.TensorDraft;
import dev.sublet.proto.onnx.AttributeProto;
import dev.sublet.proto.onnx.NodeProto;
import dev.sublet.proto.onnx.SparseTensorProto;
import dev.sublet.proto.onnx.TensorProto;
import dev.sublet.proto.onnx.TensorShapeProto;
import dev.sublet.proto.onnx.TypeProto;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;

/** Reads types and small constants of tensors from ONNX's messages. */
final class Tensors {

  /** The greatest number of elements that are read. Larger tensors are data, not shapes. */
  private static final int MAX_ELEMENTS = 1024;

  static final int FLOAT = 1;
  static final int INT64 = 7;
  private static final int STRING = 8;
  static final int BOOL = 9;

  private Tensors() {}

  /** The element type for a number of ONNX's {@code TensorProto.DataType}. */
  static DataType dataType(int number) {
    return switch (number) {
      case 1 -> DataType.FP32;
      case 2 -> DataType.UINT8;
      case 3 -> DataType.INT8;
      case 4 -> DataType.UINT16;
      case 5 -> DataType.INT16;
      case 6 -> DataType.INT32;
      case 7 -> DataType.INT64;
      case 9 -> DataType.BOOL;
      case 10 -> DataType.FP16;
      case 11 -> DataType.FP64;
      case 12 -> DataType.UINT32;
      case 13 -> DataType.UINT64;
      case 14 -> DataType.COMPLEX64;
      case 15 -> DataType.COMPLEX128;
      case 16 -> DataType.BF16;
      case 17 -> DataType.FP8_E4M3FN;
      case 18 -> DataType.FP8_E4M3FNUZ;
      case 19 -> DataType.FP8_E5M2;
      case 20 -> DataType.FP8_E5M2FNUZ;
      case 21 -> DataType.UINT4;
      case 22 -> DataType.INT4;
      case 23 -> DataType.FP4_E2M1;
      case 24 -> DataType.FP8_E8M0;
      default -> DataType.UNKNOWN;
    };
  }

  /** The number of the element type with a name, as in opsets before 6; 0 for any other name. */
  static int ofName(String name) {
    return switch (name) {
      case "FLOAT" -> FLOAT;
      case "UINT8" -> 2;
      case "INT8" -> 3;
      case "UINT16" -> 4;
      case "INT16" -> 5;
      case "INT32" -> 6;
      case "INT64" -> INT64;
      case "STRING" -> STRING;
      case "BOOL" -> BOOL;
      case "FLOAT16" -> 10;
      case "DOUBLE" -> 11;
      case "UINT32" -> 12;
      case "UINT64" -> 13;
      case "COMPLEX64" -> 14;
      case "COMPLEX128" -> 15;
      default -> 0;
    };
  }

  /** Whether the elements of a type are integers or booleans. */
  static boolean isInteger(int type) {
    return switch (type) {
      case 2, 3, 4, 5, 6, 7, 9, 12, 13, 21, 22 -> true;
      default -> false;
    };
  }

  /** Whether a type is a dense tensor, or is not set at all. */
  static boolean isTensor(TypeProto type) {
    return type.hasTensorType() || type.getValueCase() == TypeProto.ValueCase.VALUE_NOT_SET;
  }

  /** Whether a type gives every extent of a tensor, as a number or a name. */
  static boolean isComplete(TypeProto type) {
    for (TensorShapeProto.Dimension dimension : type.getTensorType().getShape().getDimList()) {
      if (dimension.getDimValue() < 0
          || (!dimension.hasDimValue() && dimension.getDimParam().isEmpty())) {
        return false;
      }
    }
    return type.getTensorType().hasShape();
  }

  /** Returns a tensor of a declared type; extents without a number are unknown. */
  static TensorDraft draft(TypeProto type, int elementType) {
    TensorDraft draft = TensorDraft.of(dataType(elementType));
    if (!type.getTensorType().hasShape()) {
      return draft;
    }
    ImmutableLongArray.Builder dims = ImmutableLongArray.builder();
    ImmutableList.Builder<String> names = ImmutableList.builder();
    for (TensorShapeProto.Dimension dimension : type.getTensorType().getShape().getDimList()) {
      boolean known = dimension.hasDimValue() && dimension.getDimValue() >= 0;
      dims.add(known ? dimension.getDimValue() : -1);
      names.add(dimension.getDimParam());
    }
    return draft.withShape(dims.build(), names.build());
  }

  /**
   * Returns a constant, with its elements if they are numbers and not many. O(elements that are
   * read).
   *
   * @param where the description of the constant in diagnostics
   * @throws ProgramException if its extents are negative or too large, or do not agree with the
   *     length of its data
   */
  static TensorDraft constant(TensorProto tensor, String where) {
    long count = count(tensor.getDimsList(), where);
    checkLength(tensor, count, where);
    TensorDraft draft = constant(tensor.getDataType(), tensor.getDimsList());
    return elements(tensor, count, where).map(draft::withElements).orElse(draft);
  }

  /**
   * Returns a constant that is sparse in the file. Operators read it as a dense tensor. Its
   * elements are not read here. O(extents).
   *
   * @param where the description of the constant in diagnostics
   * @throws ProgramException if its extents are negative or too large
   */
  static TensorDraft constant(SparseTensorProto tensor, String where) {
    count(tensor.getDimsList(), where);
    return constant(tensor.getValues().getDataType(), tensor.getDimsList());
  }

  private static TensorDraft constant(int type, List<Long> dims) {
    return TensorDraft.of(dataType(type))
        .persistent()
        .withShape(ImmutableLongArray.copyOf(dims), ImmutableList.of());
  }

  /** Returns the number of elements of a tensor with these extents. */
  private static long count(List<Long> dims, String where) {
    long count = 1;
    for (long extent : dims) {
      if (extent < 0) {
        throw OnnxNodes.malformed(where, "has an extent of " + extent);
      }
      count = Math.multiplyHigh(count, extent) == 0 ? count * extent : -1;
      if (count < 0 || count > Long.MAX_VALUE / 64) {
        throw OnnxNodes.malformed(where, "is too large: " + dims);
      }
    }
    return count;
  }

  /**
   * Returns the value of a {@code Constant}, from whichever attribute contains it; empty if the
   * value is sparse.
   */
  static Optional<TensorProto> valueOf(NodeProto constant) {
    for (AttributeProto attribute : constant.getAttributeList()) {
      TensorProto.Builder tensor = TensorProto.newBuilder();
      switch (attribute.getName()) {
        case "value" -> tensor.mergeFrom(attribute.getT());
        case "value_float" -> tensor.setDataType(FLOAT).addFloatData(attribute.getF());
        case "value_int" -> tensor.setDataType(INT64).addInt64Data(attribute.getI());
        case "value_floats" ->
            tensor
                .setDataType(FLOAT)
                .addDims(attribute.getFloatsCount())
                .addAllFloatData(attribute.getFloatsList());
        case "value_ints" ->
            tensor
                .setDataType(INT64)
                .addDims(attribute.getIntsCount())
                .addAllInt64Data(attribute.getIntsList());
        case "value_string" -> tensor.setDataType(STRING).addStringData(attribute.getS());
        case "value_strings" ->
            tensor
                .setDataType(STRING)
                .addDims(attribute.getStringsCount())
                .addAllStringData(attribute.getStringsList());
        default -> {
          continue;
        }
      }
      return Optional.of(tensor.build());
    }
    return Optional.empty();
  }

  private static void checkLength(TensorProto tensor, long count, String where) {
    int width = dataType(tensor.getDataType()).bytes();
    boolean packed = isFourBits(tensor.getDataType());
    long bytes = packed ? (count + 1) / 2 : count * width;
    if (tensor.hasRawData() && width > 0 && tensor.getRawData().size() != bytes) {
      throw OnnxNodes.malformed(
          where,
          "has "
              + ByteText.inWords(tensor.getRawData().size())
              + " of data, but its type says "
              + ByteText.exact(bytes));
    }
  }

  private static boolean isFourBits(int type) {
    return type == 21 || type == 22 || type == 23;
  }

  /**
   * Returns the elements in row-major order, if they are few, are numbers, and are in the file
   * itself.
   */
  static Optional<ImmutableDoubleArray> elements(TensorProto tensor, long count, String where) {
    if (count > MAX_ELEMENTS || tensor.getDataLocation() == TensorProto.DataLocation.EXTERNAL) {
      return Optional.empty();
    }
    ImmutableDoubleArray.Builder elements = ImmutableDoubleArray.builder();
    boolean known =
        tensor.hasRawData() ? addRaw(tensor, (int) count, elements) : addTyped(tensor, elements);
    ImmutableDoubleArray found = elements.build();
    if (known && found.length() != count) {
      throw OnnxNodes.malformed(
          where, "has " + found.length() + " elements, but its extents say " + count);
    }
    return known ? Optional.of(found) : Optional.empty();
  }

  /**
   * Returns the bits of the elements of a half precision tensor, if they are few and are in the
   * file itself; nothing for a tensor of another type. O(elements that are read).
   */
  static ImmutableList<Long> halfBits(TensorProto tensor) {
    DataType type = dataType(tensor.getDataType());
    int bytes = Math.max(tensor.getRawData().size(), Short.BYTES * tensor.getInt32DataCount());
    if ((type != DataType.FP16 && type != DataType.BF16) || bytes > Short.BYTES * MAX_ELEMENTS) {
      return ImmutableList.of();
    }
    ImmutableList.Builder<Long> bits = ImmutableList.builder();
    ByteBuffer raw = tensor.getRawData().asReadOnlyByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
    while (raw.remaining() >= Short.BYTES) {
      bits.add((long) raw.getShort());
    }
    tensor.getInt32DataList().forEach(element -> bits.add((long) element));
    return bits.build();
  }

  private static boolean addTyped(TensorProto tensor, ImmutableDoubleArray.Builder elements) {
    switch (tensor.getDataType()) {
      case 1 -> tensor.getFloatDataList().forEach(elements::add);
      case 2, 3, 4, 5, 6, 9 -> tensor.getInt32DataList().forEach(elements::add);
      case 7 -> tensor.getInt64DataList().forEach(value -> elements.add((double) value));
      case 11 -> tensor.getDoubleDataList().forEach(elements::add);
      case 12, 13 -> tensor.getUint64DataList().forEach(value -> elements.add(unsigned(value)));
      default -> {
        return false;
      }
    }
    return true;
  }

  private static boolean addRaw(
      TensorProto tensor, int count, ImmutableDoubleArray.Builder elements) {
    ByteString raw = tensor.getRawData();
    ByteBuffer data = raw.asReadOnlyByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < count; i++) {
      switch (tensor.getDataType()) {
        case 1 -> elements.add(data.getFloat());
        case 2 -> elements.add(data.get() & 0xFF);
        case 3, 9 -> elements.add(data.get());
        case 4 -> elements.add(data.getShort() & 0xFFFF);
        case 5 -> elements.add(data.getShort());
        case 6 -> elements.add(data.getInt());
        case 7 -> elements.add((double) data.getLong());
        case 13 -> elements.add(unsigned(data.getLong()));
        case 11 -> elements.add(data.getDouble());
        case 12 -> elements.add((double) (data.getInt() & 0xFFFFFFFFL));
        default -> {
          return false;
        }
      }
    }
    return true;
  }

  private static double unsigned(long value) {
    return value >= 0 ? (double) value : (double) value + 0x1p64;
  }
}
