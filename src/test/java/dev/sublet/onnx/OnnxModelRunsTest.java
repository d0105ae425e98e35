package dev.sublet.onnx;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtException;
import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import com.google.protobuf.TextFormat;
import dev.sublet.PlanResult;
import dev.sublet.TranspileOptions;
import dev.sublet.Transpiler;
import dev.sublet.codec.tensor.ModelParameters;
import dev.sublet.program.Program;
import dev.sublet.proto.onnx.ModelProto;
import dev.sublet.proto.onnx.TensorShapeProto.Dimension;
import dev.sublet.proto.onnx.ValueInfoProto;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.kernel.RandomTensors;
import dev.sublet.runtime.machine.ExecutionOptions;
import dev.sublet.runtime.machine.ExecutionResult;
import dev.sublet.runtime.machine.Executor;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;
import dev.sublet.runtime.tensor.TensorBytes;
import dev.sublet.shape.ShapeOptions;
import dev.sublet.testing.onnx.NearTensors;
import dev.sublet.testing.onnx.RuntimeTensor;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whole models, run on random inputs: the results are near those of ONNX Runtime, and in the
 * poisoned arena of a plan they have the same bits as with a buffer for each value.
 */
final class OnnxModelRunsTest {

  private static final Path MODELS = Path.of("testdata/onnx");
  private static final Path TEXTS = Path.of("testdata/onnx_operators/models.txt");
  private static final Path SEQUENCES = Path.of("testdata/onnx_operators/sequences.txt");

  /** Models with texts, which nothing runs. */
  private static final Set<String> NOT_RUN = Set.of("sparse_constants");

  static ImmutableList<Path> handMade() throws IOException {
    try (Stream<Path> folders = Files.list(MODELS)) {
      return folders
          .filter(folder -> !NOT_RUN.contains(String.valueOf(folder.getFileName())))
          .map(folder -> folder.resolve("model.textproto"))
          .filter(Files::exists)
          .sorted()
          .collect(ImmutableList.toImmutableList());
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("handMade")
  void nestedGraphs(Path file) throws IOException, OrtException {
    ModelProto.Builder model = ModelProto.newBuilder();
    TextFormat.merge(Files.readString(file), model);
    for (int seed = 0; seed < 4; seed++) {
      check(model.build(), ImmutableMap.of(), 2 + seed % 2, seed, 1e-3, 1e-6);
    }
  }

  static ImmutableList<OnnxText> texts() throws IOException {
    return ImmutableList.<OnnxText>builder()
        .addAll(OnnxText.parseAll(Files.readAllLines(TEXTS)))
        .addAll(OnnxText.parseAll(Files.readAllLines(SEQUENCES)))
        .build();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("texts")
  void text(OnnxText text) throws OrtException {
    for (ImmutableMap<String, Long> run : text.runs()) {
      check(text.model(), text.shapes(run), 1, 0, 1e-3, 1e-5);
    }
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"keywords", "mobile", "encoder", "segmentation"})
  void madeModel(String name) throws OrtException {
    check(MadeModels.of(name).model(), ImmutableMap.of(), 1, 0, 1e-3, 1e-4);
  }

  /** Activations are quantized by their range: a difference in the last bit may become a step. */
  @ParameterizedTest(name = "{0}: {1} by {2}")
  @CsvSource({"/all-minilm-l6-v2-q.onnx, 1, 7", "/bge-small-en-v1.5-q.onnx, 2, 5"})
  void sentenceEncoder(String resource, long batch, long length) throws IOException, OrtException {
    ModelProto model;
    try (InputStream stream = OnnxModelRunsTest.class.getResourceAsStream(resource)) {
      model = ModelProto.parseFrom(stream);
    }
    ImmutableMap.Builder<String, ImmutableLongArray> shapes = ImmutableMap.builder();
    for (ValueInfoProto input : model.getGraph().getInputList()) {
      shapes.put(input.getName(), ImmutableLongArray.of(batch, length));
    }
    check(model, shapes.buildOrThrow(), 1, 0, 2e-2, 2e-2);
  }

  /** Real models of the corpus; the numbers are for open extents, in the order of the inputs. */
  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "silero_vad_v5.onnx, 1 576 1",
    "ch_ppocr_mobile_v2.0_cls_infer.onnx, 1 48 192",
    "ch_PP-OCRv4_det_infer.onnx, 1 64 64",
    "genai_tiny_gpt2_past.onnx, ''",
    "superres.onnx, 1",
    "light_squeezenet.onnx, ''",
    "light_shufflenet.onnx, ''",
  })
  void realModel(String file, String open) throws IOException, OrtException {
    String corpus = System.getenv("SUBLET_CORPUS");
    assumeTrue(corpus != null, "SUBLET_CORPUS is not set");
    ModelProto model = ModelProto.parseFrom(Files.readAllBytes(Path.of(corpus, "onnx", file)));
    check(model, extents(model, open), 1, 0, 1e-3, 1e-4);
  }

  private static ImmutableMap<String, ImmutableLongArray> extents(ModelProto model, String open) {
    Map<String, Long> named = new LinkedHashMap<>();
    named.put("batch_size", 1L);
    named.put("seq_len", 1L);
    named.put("past_seq_len", 16L);
    named.put("total_seq_len", 17L);
    Iterator<String> words = Splitter.on(' ').omitEmptyStrings().splitToList(open).iterator();
    ImmutableMap.Builder<String, ImmutableLongArray> shapes = ImmutableMap.builder();
    Set<String> constants = constants(model);
    for (ValueInfoProto input : model.getGraph().getInputList()) {
      if (constants.contains(input.getName())) {
        continue;
      }
      ImmutableLongArray.Builder dims = ImmutableLongArray.builder();
      for (Dimension extent : input.getType().getTensorType().getShape().getDimList()) {
        if (extent.hasDimValue()) {
          dims.add(extent.getDimValue());
        } else if (named.containsKey(extent.getDimParam())) {
          dims.add(named.get(extent.getDimParam()));
        } else {
          dims.add(Long.parseLong(words.next()));
        }
      }
      shapes.put(input.getName(), dims.build());
    }
    return shapes.buildOrThrow();
  }

  private static Set<String> constants(ModelProto model) {
    Set<String> constants = new HashSet<>();
    model.getGraph().getInitializerList().forEach(tensor -> constants.add(tensor.getName()));
    return constants;
  }

  /**
   * Runs a model here and in ONNX Runtime and compares.
   *
   * @param shapes the shapes of inputs; of the others, the declared ones with {@code open} for an
   *     open extent
   */
  private static void check(
      ModelProto message,
      ImmutableMap<String, ImmutableLongArray> shapes,
      long open,
      long seed,
      double relative,
      double absolute)
      throws OrtException {
    ImmutableMap<String, Tensor> feeds = feeds(message, shapes, open, seed);
    OnnxModel model = OnnxModel.of(message);
    ImmutableMap.Builder<String, LodTensor> fed = ImmutableMap.builder();
    ImmutableMap.Builder<String, OnnxTensor> given = ImmutableMap.builder();
    ImmutableMap.Builder<String, ImmutableLongArray> fedShapes = ImmutableMap.builder();
    for (Map.Entry<String, Tensor> feed : feeds.entrySet()) {
      fed.put(feed.getKey(), LodTensor.of(feed.getValue()));
      given.put(feed.getKey(), onnxTensor(feed.getValue()));
      fedShapes.put(feed.getKey(), feed.getValue().shape());
    }
    ImmutableMap<String, Tensor> parameters = ModelParameters.read(model);
    Program program = model.program();
    ExecutionResult plain =
        Executor.run(program, fed.buildOrThrow(), parameters, ExecutionOptions.defaults());
    ModelProto.Builder judged = message.toBuilder();
    ModelComparison.nameAllOutputs(judged.getGraphBuilder(), message);
    ImmutableList<RuntimeTensor> expected = RuntimeTensor.run(judged.build(), given.buildOrThrow());
    ImmutableList<byte[]> bytes = RuntimeTensor.bytes(judged.build(), given.buildOrThrow());
    assertThat(plain.outputs()).hasSize(expected.size());
    for (int i = 0; i < expected.size(); i++) {
      Tensor here = plain.outputs().get(i).tensor().tensor();
      Tensor there = TensorBytes.get(here.type(), expected.get(i).dims(), bytes.get(i), 0);
      NearTensors.check(expected.get(i).name(), here, there, relative, absolute);
    }
    ShapeOptions options = new ShapeOptions(1, fedShapes.buildOrThrow(), ImmutableMap.of());
    for (OnnxModel form : ImmutableList.of(model, model.withConstantsInArena())) {
      PlanResult planned =
          Transpiler.plan(form.program(), TranspileOptions.defaults().withShapes(options));
      ExecutionResult inArena =
          Executor.run(
              form.program(),
              fed.buildOrThrow(),
              ModelParameters.read(form),
              ExecutionOptions.defaults().in(planned.plan()));
      assertWithMessage("results in the arena").that(inArena.outputs()).isEqualTo(plain.outputs());
    }
  }

  private static ImmutableMap<String, Tensor> feeds(
      ModelProto model, ImmutableMap<String, ImmutableLongArray> shapes, long open, long seed) {
    ImmutableMap.Builder<String, Tensor> feeds = ImmutableMap.builder();
    Set<String> constants = constants(model);
    for (ValueInfoProto input : model.getGraph().getInputList()) {
      if (constants.contains(input.getName())) {
        continue;
      }
      ImmutableLongArray shape = shapes.get(input.getName());
      if (shape == null) {
        ImmutableLongArray.Builder dims = ImmutableLongArray.builder();
        for (Dimension extent : input.getType().getTensorType().getShape().getDimList()) {
          dims.add(extent.hasDimValue() ? extent.getDimValue() : open);
        }
        shape = dims.build();
      }
      int type = input.getType().getTensorType().getElemType();
      if (input.getName().equals("sr")) { // the sampling rate of silero, which chooses a branch
        feeds.put("sr", RandomTensors.ofValues(ElementType.INT64, shape, 16_000));
        continue;
      }
      feeds.put(
          input.getName(),
          RandomTensors.feed(input.getName(), seed, Tensors.dataType(type), shape));
    }
    return feeds.buildOrThrow();
  }

  private static OnnxTensor onnxTensor(Tensor tensor) throws OrtException {
    byte[] bytes = TensorBytes.of(tensor);
    ByteBuffer buffer = ByteBuffer.allocateDirect(bytes.length).order(ByteOrder.nativeOrder());
    buffer.put(bytes).rewind();
    OnnxJavaType type =
        switch (tensor.type()) {
          case FLOAT32 -> OnnxJavaType.FLOAT;
          case FLOAT64 -> OnnxJavaType.DOUBLE;
          default -> OnnxJavaType.valueOf(tensor.type().name());
        };
    return OnnxTensor.createTensor(
        RuntimeTensor.environment(), buffer, tensor.shape().toArray(), type);
  }
}
