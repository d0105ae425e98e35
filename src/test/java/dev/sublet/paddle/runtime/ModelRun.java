package dev.sublet.paddle.runtime;

import ai.djl.Device;
import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.types.Shape;
import ai.djl.paddlepaddle.engine.PaddlePredictor;
import ai.djl.paddlepaddle.engine.PpNDArray;
import ai.djl.paddlepaddle.engine.PpNDManager;
import ai.djl.paddlepaddle.jni.JniUtils;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import com.google.protobuf.ByteString;
import dev.sublet.paddle.runtime.PaddleRuntime.Mode;
import dev.sublet.program.DataType;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * A process of its own that runs one model once: loads it, feeds it, writes its outputs. Only
 * {@link PaddleRuntime} starts it. A native crash then ends this process and not the tests.
 *
 * <p>Arguments: the mode, then files: the program, the parameters, the feeds, and if they are
 * wanted the outputs and the resident peak. Without arguments it only unpacks the library.
 */
final class ModelRun {

  private final PaddleLibrary library;
  private final PpNDManager manager;

  ModelRun(PaddleLibrary library, PpNDManager manager) {
    this.library = library;
    this.manager = manager;
  }

  /** Runs the model that the arguments describe. */
  public static void main(String[] args) throws IOException, ReflectiveOperationException {
    PpNDManager manager =
        (PpNDManager) Engine.getEngine("PaddlePaddle").newBaseManager(Device.cpu());
    if (args.length == 0) {
      return;
    }
    PaddleLibrary library = PaddleLibrary.loaded();
    boolean measures = args.length > 5;
    if (measures) {
      library.growMemoryInSmallSteps();
    }
    ModelRun run = new ModelRun(library, manager);
    PaddlePredictor predictor = run.predictor(args[1], args[2], Mode.valueOf(args[0]));
    ImmutableMap<String, TensorData> feeds = TensorFile.read(Path.of(args[3]));
    PpNDArray[] inputs = run.inputs(feeds);
    long before = measures ? ResidentMemory.restartPeak() : 0;
    NDList outputs =
        JniUtils.predictorForward(predictor, inputs, feeds.keySet().toArray(new String[0]));
    if (measures) {
      Files.writeString(Path.of(args[5]), Long.toString(ResidentMemory.peak() - before));
    }
    if (args.length > 4) {
      TensorFile.write(Path.of(args[4]), read(outputs));
    }
    // Destructors of the native library have nothing more to tell.
    Runtime.getRuntime().halt(0);
  }

  private PaddlePredictor predictor(String program, String parameters, Mode mode)
      throws ReflectiveOperationException {
    Constructor<PaddlePredictor> constructor =
        PaddlePredictor.class.getDeclaredConstructor(long.class);
    constructor.setAccessible(true);
    return constructor.newInstance(nativePredictor(program, parameters, mode));
  }

  private long nativePredictor(String program, String parameters, Mode mode) {
    long config = JniUtils.createConfig(program, parameters, Device.cpu());
    JniUtils.switchIrOptim(config, mode.fuses());
    library.enableMemoryOptimization(config, mode.optimizes());
    return JniUtils.createPredictor(config);
  }

  /** Loads a model, and writes into a folder what the graph passes have made of it. */
  void saveFused(String program, String parameters, String folder) {
    library.saveOptimized(nativePredictor(program, parameters, Mode.FUSED), folder);
  }

  /**
   * Loads a model, runs it once and returns its outputs, by name. Unloads it again: a small model
   * holds ten megabytes, and fresh pages cost a batch a third of its time.
   */
  ImmutableMap<String, TensorData> forward(
      String program, String parameters, Mode mode, ImmutableMap<String, TensorData> feeds)
      throws ReflectiveOperationException {
    PaddlePredictor predictor = predictor(program, parameters, mode);
    ImmutableMap<String, TensorData> outputs =
        read(
            JniUtils.predictorForward(
                predictor, inputs(feeds), feeds.keySet().toArray(new String[0])));
    JniUtils.deletePredictor(predictor);
    return outputs;
  }

  /**
   * Loads a model and returns the nanoseconds of the fastest of several runs, after a first one.
   */
  long fastest(
      String program,
      String parameters,
      Mode mode,
      ImmutableMap<String, TensorData> feeds,
      int runs)
      throws ReflectiveOperationException {
    PaddlePredictor predictor = predictor(program, parameters, mode);
    PpNDArray[] inputs = inputs(feeds);
    String[] names = feeds.keySet().toArray(new String[0]);
    JniUtils.predictorForward(predictor, inputs, names).close();
    long fastest = Long.MAX_VALUE;
    for (int i = 0; i < runs; i++) {
      long begin = System.nanoTime();
      NDList outputs = JniUtils.predictorForward(predictor, inputs, names);
      fastest = Math.min(fastest, System.nanoTime() - begin);
      outputs.close();
    }
    return fastest;
  }

  private PpNDArray[] inputs(ImmutableMap<String, TensorData> feeds) {
    PpNDArray[] inputs = new PpNDArray[feeds.size()];
    int i = 0;
    for (Map.Entry<String, TensorData> feed : feeds.entrySet()) {
      TensorData tensor = feed.getValue();
      ByteBuffer buffer = manager.allocateDirect(tensor.bytes().size());
      buffer.put(tensor.bytes().asReadOnlyByteBuffer()).rewind();
      Shape shape = new Shape(tensor.dims().toArray());
      inputs[i] = JniUtils.createNdArray(manager, buffer, shape, djlType(tensor.type()));
      if (!tensor.lod().isEmpty()) {
        inputs[i].setLoD(lod(tensor));
      }
      i++;
    }
    return inputs;
  }

  private static long[][] lod(TensorData tensor) {
    long[][] lod = new long[tensor.lod().size()][];
    for (int level = 0; level < lod.length; level++) {
      lod[level] = tensor.lod().get(level).toArray();
    }
    return lod;
  }

  /** What a run gave, by name. */
  static ImmutableMap<String, TensorData> read(NDList outputs) {
    ImmutableMap.Builder<String, TensorData> tensors = ImmutableMap.builder();
    for (NDArray array : outputs) {
      PpNDArray output = (PpNDArray) array;
      tensors.put(
          output.getName(),
          new TensorData(
              typeOf(output),
              ImmutableLongArray.copyOf(output.getShape().getShape()),
              lodOf(output),
              ByteString.copyFrom(JniUtils.getByteBufferFromNd(output))));
    }
    return tensors.buildOrThrow();
  }

  private static ImmutableList<ImmutableLongArray> lodOf(PpNDArray output) {
    ImmutableList.Builder<ImmutableLongArray> lod = ImmutableList.builder();
    for (long[] level : output.getLoD()) {
      lod.add(ImmutableLongArray.copyOf(level));
    }
    return lod.build();
  }

  private static ai.djl.ndarray.types.DataType djlType(DataType type) {
    return switch (type) {
      case FP32 -> ai.djl.ndarray.types.DataType.FLOAT32;
      case INT32 -> ai.djl.ndarray.types.DataType.INT32;
      case INT64 -> ai.djl.ndarray.types.DataType.INT64;
      case UINT8 -> ai.djl.ndarray.types.DataType.UINT8;
      default -> throw new IllegalArgumentException("this interface does not carry " + type);
    };
  }

  private static DataType typeOf(PpNDArray output) {
    return switch (output.getDataType()) {
      case FLOAT32 -> DataType.FP32;
      case INT32 -> DataType.INT32;
      case INT64 -> DataType.INT64;
      case UINT8 -> DataType.UINT8;
      default ->
          throw new IllegalStateException(output.getName() + " is of " + output.getDataType());
    };
  }
}
