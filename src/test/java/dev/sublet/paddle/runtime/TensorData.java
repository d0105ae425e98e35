package dev.sublet.paddle.runtime;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.sublet.program.DataType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A tensor's value; two are equal if type, shape, sequences and every bit are.
 *
 * @param type the element type
 * @param dims the extents, outermost first
 * @param lod for each level the offsets at which sequences begin, and the end of the last
 * @param bytes the elements, row by row, little-endian
 */
public record TensorData(
    DataType type,
    ImmutableLongArray dims,
    ImmutableList<ImmutableLongArray> lod,
    ByteString bytes) {

  public TensorData {
    requireNonNull(type, "type");
    requireNonNull(dims, "dims");
    requireNonNull(lod, "lod");
    checkArgument(
        bytes.size() == elements(dims) * type.bytes(), "%s bytes for %s", bytes.size(), dims);
  }

  /** A tensor of FP32. */
  public static TensorData ofFloats(ImmutableLongArray dims, float... values) {
    ByteBuffer buffer = buffer(values.length * Float.BYTES);
    buffer.asFloatBuffer().put(values);
    return of(DataType.FP32, dims, buffer);
  }

  /** A tensor of INT64. */
  public static TensorData ofLongs(ImmutableLongArray dims, long... values) {
    ByteBuffer buffer = buffer(values.length * Long.BYTES);
    buffer.asLongBuffer().put(values);
    return of(DataType.INT64, dims, buffer);
  }

  /** A tensor of INT32. */
  public static TensorData ofInts(ImmutableLongArray dims, int... values) {
    ByteBuffer buffer = buffer(values.length * Integer.BYTES);
    buffer.asIntBuffer().put(values);
    return of(DataType.INT32, dims, buffer);
  }

  private static ByteBuffer buffer(int size) {
    return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static TensorData of(DataType type, ImmutableLongArray dims, ByteBuffer buffer) {
    return new TensorData(type, dims, ImmutableList.of(), UnsafeByteOperations.unsafeWrap(buffer));
  }

  /** The same elements, cut into sequences at these offsets. */
  public TensorData withLod(ImmutableLongArray offsets) {
    return new TensorData(type, dims, ImmutableList.of(offsets), bytes);
  }

  /** The number of elements of a tensor with these extents. */
  public static long elements(ImmutableLongArray dims) {
    long count = 1;
    for (int i = 0; i < dims.length(); i++) {
      count *= dims.get(i);
    }
    return count;
  }

  /** Type, shape and sequences, without the elements. */
  @Override
  public String toString() {
    return type + dims.toString() + (lod.isEmpty() ? "" : " lod " + lod);
  }
}
