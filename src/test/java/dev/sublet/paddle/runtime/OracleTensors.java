package dev.sublet.paddle.runtime;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import com.google.protobuf.UnsafeByteOperations;
import dev.sublet.program.DataType;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.SplittableRandom;

/** Tensors of the project and tensors of the runtime, one from the other. */
public final class OracleTensors {

  private OracleTensors() {}

  /** A tensor of given values. */
  public static Tensor of(String type, ImmutableLongArray shape, double[] values) {
    ElementType elementType = elementType(type);
    Tensor tensor = Tensor.zeros(elementType, shape);
    if (values.length != tensor.length()) {
      throw new IllegalArgumentException(values.length + " values for " + shape);
    }
    for (int i = 0; i < values.length; i++) {
      put(tensor, i, values[i]);
    }
    return tensor;
  }

  /** A tensor of random values; the range is empty or begin and end. */
  public static Tensor random(
      String type, ImmutableLongArray shape, double[] range, SplittableRandom random) {
    ElementType elementType = elementType(type);
    double begin = range.length == 2 ? range[0] : elementType.isFloating() ? -2 : 0;
    double end = range.length == 2 ? range[1] : usualEnd(elementType);
    Tensor tensor = Tensor.zeros(elementType, shape);
    for (int i = 0; i < tensor.length(); i++) {
      double value = begin + (end - begin) * random.nextDouble();
      put(tensor, i, elementType.isFloating() ? value : Math.floor(value));
    }
    return tensor;
  }

  private static double usualEnd(ElementType type) {
    return switch (type) {
      case FLOAT32, FLOAT64, BOOL -> 2;
      default -> 4;
    };
  }

  private static void put(Tensor tensor, int i, double value) {
    switch (tensor.type()) {
      case FLOAT32 -> tensor.floats()[i] = (float) value;
      case FLOAT64 -> tensor.doubles()[i] = value;
      case INT32 -> tensor.ints()[i] = (int) value;
      case INT64 -> tensor.longs()[i] = (long) value;
      case BOOL, UINT8, INT8 -> tensor.bytes()[i] = (byte) (int) value;
      default -> throw new IllegalArgumentException("Paddle has no " + tensor.type());
    }
  }

  private static ElementType elementType(String name) {
    return switch (name) {
      case "fp32" -> ElementType.FLOAT32;
      case "fp64" -> ElementType.FLOAT64;
      case "int32" -> ElementType.INT32;
      case "int64" -> ElementType.INT64;
      case "bool" -> ElementType.BOOL;
      case "uint8" -> ElementType.UINT8;
      case "int8" -> ElementType.INT8;
      default -> throw new IllegalArgumentException("no type " + name);
    };
  }

  /** Type and shape as program text has them. */
  public static String typeText(Tensor tensor) {
    return typeText(tensor.type(), tensor.shape());
  }

  /** Type and shape as program text has them. */
  public static String typeText(ElementType elementType, ImmutableLongArray shape) {
    String type =
        switch (elementType) {
          case FLOAT32 -> "fp32";
          case FLOAT64 -> "fp64";
          case INT32 -> "int32";
          case INT64 -> "int64";
          case BOOL -> "bool";
          case UINT8 -> "uint8";
          case INT8 -> "int8";
          default -> throw new IllegalArgumentException("Paddle has no " + elementType);
        };
    return type + "[" + Joiner.on(',').join(shape.asList()) + "]";
  }

  /** The type's counterpart in files. */
  public static DataType dataType(ElementType type) {
    return switch (type) {
      case FLOAT32 -> DataType.FP32;
      case FLOAT64 -> DataType.FP64;
      case INT32 -> DataType.INT32;
      case INT64 -> DataType.INT64;
      case BOOL -> DataType.BOOL;
      case UINT8 -> DataType.UINT8;
      case INT8 -> DataType.INT8;
      default -> throw new IllegalArgumentException("Paddle has no " + type);
    };
  }

  /** A tensor for the runtime. */
  public static TensorData data(LodTensor lodTensor) {
    Tensor tensor = lodTensor.tensor();
    byte[] bytes = new byte[tensor.length() * tensor.type().bytes()];
    ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    switch (tensor.type()) {
      case FLOAT32 -> buffer.asFloatBuffer().put(tensor.floats());
      case FLOAT64 -> buffer.asDoubleBuffer().put(tensor.doubles());
      case INT32 -> buffer.asIntBuffer().put(tensor.ints());
      case INT64 -> buffer.asLongBuffer().put(tensor.longs());
      case BOOL, UINT8, INT8 -> buffer.put(tensor.bytes());
      default -> throw new IllegalArgumentException("Paddle has no " + tensor.type());
    }
    return new TensorData(
        dataType(tensor.type()),
        tensor.shape(),
        lodTensor.lod(),
        UnsafeByteOperations.unsafeWrap(bytes));
  }

  /** A tensor from the runtime: FP32, INT32 or INT64. */
  public static LodTensor tensor(TensorData data) {
    ByteBuffer buffer = data.bytes().asReadOnlyByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
    int length = Tensor.length(data.dims());
    Tensor tensor =
        switch (data.type()) {
          case FP32 -> {
            float[] values = new float[length];
            buffer.asFloatBuffer().get(values);
            yield Tensor.of(data.dims(), values);
          }
          case INT32 -> {
            int[] values = new int[length];
            buffer.asIntBuffer().get(values);
            yield Tensor.of(data.dims(), values);
          }
          case INT64 -> {
            long[] values = new long[length];
            buffer.asLongBuffer().get(values);
            yield Tensor.of(data.dims(), values);
          }
          default -> throw new IllegalArgumentException("no tensor of " + data.type());
        };
    return new LodTensor(tensor, ImmutableList.copyOf(data.lod()));
  }
}
