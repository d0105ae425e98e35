package dev.sublet.codec.tensor;

import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.diag.Diagnostic;
import dev.sublet.diag.Location;
import dev.sublet.diag.ProgramException;
import dev.sublet.onnx.OnnxConstant;
import dev.sublet.onnx.OnnxModel;
import dev.sublet.program.Block;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.proto.onnx.SparseTensorProto;
import dev.sublet.proto.onnx.TensorProto;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;
import dev.sublet.runtime.tensor.TensorBytes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Reads the parameters of an ONNX model: initializers, values of {@code Constant} nodes, and the
 * defaults of inputs.
 *
 * <p>The elements are raw bytes, little-endian, or numbers in a field of the message: {@code
 * int32_data} contains integers of up to 32 bits, booleans, and the bits of half precision numbers.
 * Four-bit integers, 8-bit floating-point numbers, complex numbers and texts are not read, since
 * the runtime does not compute with them. No other file is opened.
 *
 * <p>Source: {@code onnx.proto}, TensorProto and SparseTensorProto.
 */
public final class ModelParameters {

  private ModelParameters() {}

  /**
   * Reads the parameters of a model that operators read, by the names of variables. O(elements).
   *
   * @throws ProgramException if elements are in another file or of a type that nothing computes
   *     with (exit code 4), or the data do not fit the extents (exit code 3)
   */
  public static ImmutableMap<String, Tensor> read(OnnxModel model) {
    ImmutableMap.Builder<String, Tensor> parameters = ImmutableMap.builder();
    Set<String> reads = reads(model.program());
    for (OnnxConstant constant : model.constants()) {
      if (reads.contains(constant.variable())) {
        parameters.put(constant.variable(), read(constant));
      }
    }
    return parameters.buildKeepingLast();
  }

  private static Set<String> reads(Program program) {
    Set<String> reads = new HashSet<>();
    for (Block block : program.blocks()) {
      for (Operation operation : block.operations()) {
        for (int i = 0; i < operation.inputCount(); i++) {
          if (operation.input(i) != Program.NO_VARIABLE) {
            reads.add(program.variable(operation.input(i)).name());
          }
        }
      }
    }
    return reads;
  }

  private static Tensor read(OnnxConstant constant) {
    Tensor values = dense(constant.toMessage(), constant.where());
    return constant.toSparseMessage().isPresent()
        ? spread(values, constant.toSparseMessage().get(), constant.where())
        : values;
  }

  private static Tensor dense(TensorProto tensor, String where) {
    if (tensor.getDataLocation() == TensorProto.DataLocation.EXTERNAL) {
      throw unsupported(
          where, "has its data in another file; save the model in one file to run it");
    }
    ImmutableLongArray shape = ImmutableLongArray.copyOf(tensor.getDimsList());
    ElementType type = type(tensor.getDataType(), where);
    byte[] bytes = tensor.hasRawData() ? tensor.getRawData().toByteArray() : typed(tensor, type);
    long size = TensorBytes.size(type, shape);
    if (bytes.length != size) {
      throw malformed(where, "has " + bytes.length + " bytes of data for " + type + shape);
    }
    try {
      return TensorBytes.get(type, shape, bytes, 0);
    } catch (IllegalArgumentException e) {
      throw malformed(where, String.valueOf(e.getMessage()));
    }
  }

  private static ElementType type(int number, String where) {
    return ElementType.ofOnnx(number)
        .orElseThrow(
            () ->
                unsupported(
                    where,
                    "has elements of type " + number + " of TensorProto, which cannot be run"));
  }

  /** Returns the elements of a field of numbers as bytes. */
  private static byte[] typed(TensorProto tensor, ElementType type) {
    int count =
        switch (type) {
          case FLOAT32 -> tensor.getFloatDataCount();
          case FLOAT64 -> tensor.getDoubleDataCount();
          case INT64 -> tensor.getInt64DataCount();
          case UINT32, UINT64 -> tensor.getUint64DataCount();
          default -> tensor.getInt32DataCount();
        };
    ByteBuffer bytes = ByteBuffer.allocate(count * type.bytes()).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < count; i++) {
      switch (type) {
        case FLOAT32 -> bytes.putFloat(tensor.getFloatData(i));
        case FLOAT64 -> bytes.putDouble(tensor.getDoubleData(i));
        case INT64 -> bytes.putLong(tensor.getInt64Data(i));
        case UINT64 -> bytes.putLong(tensor.getUint64Data(i));
        case UINT32 -> bytes.putInt((int) tensor.getUint64Data(i));
        case INT32 -> bytes.putInt(tensor.getInt32Data(i));
        case INT16, UINT16, FLOAT16, BFLOAT16 -> bytes.putShort((short) tensor.getInt32Data(i));
        case INT8, UINT8, BOOL -> bytes.put((byte) tensor.getInt32Data(i));
      }
    }
    return bytes.array();
  }

  /**
   * Returns the dense form of a sparse tensor.
   *
   * @param values the elements that are not zero
   */
  private static Tensor spread(Tensor values, SparseTensorProto sparse, String where) {
    List<Long> extents = sparse.getDimsList();
    ImmutableLongArray shape = ImmutableLongArray.copyOf(extents);
    Tensor indices = dense(sparse.getIndices(), where + ", its indices");
    boolean isLinear = indices.rank() == 1;
    int width = values.type().bytes();
    byte[] from = TensorBytes.of(values);
    byte[] to = new byte[Tensor.length(shape) * width];
    for (int i = 0; i < values.length(); i++) {
      long place = 0;
      for (int axis = 0; !isLinear && axis < extents.size(); axis++) {
        place = place * extents.get(axis) + indices.getLong(i * extents.size() + axis);
      }
      place = isLinear ? indices.getLong(i) : place;
      if (place < 0 || place >= to.length / width) {
        throw malformed(where, "has an index of " + place + " in " + shape);
      }
      System.arraycopy(from, i * width, to, (int) place * width, width);
    }
    return TensorBytes.get(values.type(), shape, to, 0);
  }

  private static ProgramException malformed(String where, String what) {
    return ProgramException.unreadable(Location.nowhere(), where + " " + what);
  }

  private static ProgramException unsupported(String where, String what) {
    return ProgramException.of(Diagnostic.Kind.UNSUPPORTED, Location.nowhere(), where + " " + what);
  }
}
