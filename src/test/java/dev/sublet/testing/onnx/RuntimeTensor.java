package dev.sublet.testing.onnx;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OnnxValue;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtLoggingLevel;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.OrtSession.SessionOptions;
import ai.onnxruntime.TensorInfo;
import ai.onnxruntime.TensorInfo.OnnxTensorType;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.program.DataType;
import dev.sublet.proto.onnx.ModelProto;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * A tensor that ONNX Runtime has computed, without its elements.
 *
 * @param name the value's name
 * @param dims its extents
 * @param type its element type
 */
public record RuntimeTensor(String name, ImmutableLongArray dims, DataType type) {

  private static final OrtEnvironment ENVIRONMENT = OrtEnvironment.getEnvironment();

  /**
   * Runs a model as it is, without graph optimizations, in this process.
   *
   * @param feeds the model's inputs
   * @return the outputs that are tensors, in their order
   * @throws OrtException if the runtime does not accept the model
   */
  public static ImmutableList<RuntimeTensor> run(
      ModelProto model, ImmutableMap<String, OnnxTensor> feeds) throws OrtException {
    ImmutableList.Builder<RuntimeTensor> tensors = ImmutableList.builder();
    run(
        model,
        feeds,
        (name, tensor) -> {
          TensorInfo info = tensor.getInfo();
          ImmutableLongArray dims = ImmutableLongArray.copyOf(info.getShape());
          tensors.add(new RuntimeTensor(name, dims, dataType(info.onnxType)));
        });
    return tensors.build();
  }

  /**
   * The bytes of the outputs of a model without inputs.
   *
   * @throws OrtException if the runtime does not accept the model
   */
  public static ImmutableList<byte[]> bytes(ModelProto model) throws OrtException {
    return bytes(model, ImmutableMap.of());
  }

  /**
   * The bytes of the outputs of a model.
   *
   * @param feeds the model's inputs
   * @throws OrtException if the runtime does not accept the model
   */
  public static ImmutableList<byte[]> bytes(
      ModelProto model, ImmutableMap<String, OnnxTensor> feeds) throws OrtException {
    ImmutableList.Builder<byte[]> outputs = ImmutableList.builder();
    run(
        model,
        feeds,
        (name, tensor) -> {
          ByteBuffer buffer = tensor.getByteBuffer();
          byte[] bytes = new byte[buffer == null ? 0 : buffer.remaining()];
          if (buffer != null) {
            buffer.get(bytes);
          }
          outputs.add(bytes);
        });
    return outputs.build();
  }

  private static void run(
      ModelProto model,
      ImmutableMap<String, OnnxTensor> feeds,
      BiConsumer<String, OnnxTensor> consumer)
      throws OrtException {
    try (SessionOptions options = new SessionOptions()) {
      options.setOptimizationLevel(SessionOptions.OptLevel.NO_OPT);
      options.setIntraOpNumThreads(1);
      options.setSessionLogLevel(OrtLoggingLevel.ORT_LOGGING_LEVEL_FATAL);
      try (OrtSession session = ENVIRONMENT.createSession(model.toByteArray(), options);
          OrtSession.Result result = session.run(feeds)) {
        for (Map.Entry<String, OnnxValue> output : result) {
          if (output.getValue() instanceof OnnxTensor tensor) {
            consumer.accept(output.getKey(), tensor);
          }
        }
      }
    }
  }

  /** The bytes of its elements. */
  public long byteCount() {
    long count = type.bytes();
    for (int i = 0; i < dims.length(); i++) {
      count *= dims.get(i);
    }
    return count;
  }

  private static DataType dataType(OnnxTensorType type) {
    return switch (type) {
      case ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT -> DataType.FP32;
      case ONNX_TENSOR_ELEMENT_DATA_TYPE_DOUBLE -> DataType.FP64;
      case ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT16 -> DataType.FP16;
      case ONNX_TENSOR_ELEMENT_DATA_TYPE_BFLOAT16 -> DataType.BF16;
      case ONNX_TENSOR_ELEMENT_DATA_TYPE_BOOL -> DataType.BOOL;
      case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT8 -> DataType.INT8;
      case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT16 -> DataType.INT16;
      case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32 -> DataType.INT32;
      case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64 -> DataType.INT64;
      case ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT8 -> DataType.UINT8;
      case ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT16 -> DataType.UINT16;
      case ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT32 -> DataType.UINT32;
      case ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT64 -> DataType.UINT64;
      default -> DataType.UNKNOWN;
    };
  }

  /** The runtime in this process. */
  public static OrtEnvironment environment() {
    return ENVIRONMENT;
  }
}
