package dev.sublet.onnx;

import static com.google.common.truth.Truth.assertThat;

import ai.onnxruntime.OrtException;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import com.google.protobuf.TextFormat;
import dev.sublet.proto.onnx.ModelProto;
import dev.sublet.proto.onnx.TensorShapeProto.Dimension;
import dev.sublet.proto.onnx.ValueInfoProto;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The sizes of whole models against ONNX Runtime, see {@link ModelComparison}. */
final class OnnxModelsAgainstRuntimeTest {

  private static final Path MODELS = Path.of("testdata/onnx");
  private static final Path TEXTS = Path.of("testdata/onnx_operators/models.txt");

  /** Two real models; all their values are exact. */
  @ParameterizedTest(name = "{0}: {1} by {2}")
  @CsvSource({
    "/all-minilm-l6-v2-q.onnx, 1, 7, 674",
    "/all-minilm-l6-v2-q.onnx, 3, 16, 674",
    "/bge-small-en-v1.5-q.onnx, 1, 7, 1322",
    "/bge-small-en-v1.5-q.onnx, 2, 12, 1322",
  })
  void sentenceEncoder_everyValueHasTheRuntimesShape(
      String resource, long batch, long length, int values) throws IOException, OrtException {
    ModelProto model = read(resource);
    assertThat(ModelComparison.of(model, all(model, batch, length), 1))
        .isEqualTo(new ModelComparison(values, 0, 0));
  }

  private static ModelProto read(String resource) throws IOException {
    try (InputStream stream = OnnxModelsAgainstRuntimeTest.class.getResourceAsStream(resource)) {
      return ModelProto.parseFrom(stream);
    }
  }

  /** The same shape for all inputs. */
  private static ImmutableMap<String, ImmutableLongArray> all(
      ModelProto model, long batch, long length) {
    ImmutableMap.Builder<String, ImmutableLongArray> shapes = ImmutableMap.builder();
    for (ValueInfoProto input : model.getGraph().getInputList()) {
      shapes.put(input.getName(), ImmutableLongArray.of(batch, length));
    }
    return shapes.buildOrThrow();
  }

  /** What is shown to be equal in every run is equal in another run. */
  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"/all-minilm-l6-v2-q.onnx", "/bge-small-en-v1.5-q.onnx"})
  void sentenceEncoder_sameSizesStaySame(String resource) throws IOException, OrtException {
    ModelProto model = read(resource);
    int pairs = ModelComparison.checkSameSizes(model, all(model, 1, 7), all(model, 3, 5));
    assertThat(pairs).isGreaterThan(10_000);
  }

  static ImmutableList<Path> handMade() throws IOException {
    try (Stream<Path> folders = Files.list(MODELS)) {
      return folders
          .map(folder -> folder.resolve("model.textproto"))
          .filter(Files::exists)
          .sorted()
          .collect(ImmutableList.toImmutableList());
    }
  }

  /** The models with nested graphs, with both conditions. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("handMade")
  void nestedGraphs_everyValueHasTheRuntimesShape(Path file) throws IOException, OrtException {
    ModelProto.Builder model = ModelProto.newBuilder();
    TextFormat.merge(Files.readString(file), model);
    for (int fill = 0; fill < 2; fill++) {
      ModelComparison found =
          ModelComparison.of(model.build(), shapes(model.build(), 2 + fill), fill);
      assertThat(found.exact() + found.bounded()).isGreaterThan(0);
    }
  }

  /** The declared shapes of the inputs, with a number for open extents. */
  private static ImmutableMap<String, ImmutableLongArray> shapes(ModelProto model, int open) {
    ImmutableMap.Builder<String, ImmutableLongArray> shapes = ImmutableMap.builder();
    Set<String> defaults = new HashSet<>();
    model.getGraph().getInitializerList().forEach(tensor -> defaults.add(tensor.getName()));
    for (ValueInfoProto input : model.getGraph().getInputList()) {
      if (defaults.contains(input.getName())) {
        continue;
      }
      ImmutableLongArray.Builder dims = ImmutableLongArray.builder();
      for (Dimension extent : input.getType().getTensorType().getShape().getDimList()) {
        dims.add(extent.hasDimValue() ? extent.getDimValue() : open);
      }
      shapes.put(input.getName(), dims.build());
    }
    return shapes.buildOrThrow();
  }

  static ImmutableList<OnnxText> texts() throws IOException {
    return OnnxText.parseAll(Files.readAllLines(TEXTS));
  }

  /** What exporters write to compute shapes, and layers in a row. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("texts")
  void text_everyValueHasTheRuntimesShape(OnnxText text) throws OrtException {
    for (ImmutableMap<String, Long> run : text.runs()) {
      ModelComparison found = ModelComparison.of(text.model(), text.shapes(run), 1);
      assertThat(found.unknown()).isEqualTo(0);
      if (!text.name().endsWith("bounded")) {
        assertThat(found.bounded()).isEqualTo(0);
      }
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("texts")
  void text_sameSizesStaySame(OnnxText text) throws OrtException {
    for (ImmutableMap<String, Long> run : text.runs()) {
      for (ImmutableMap<String, Long> other : text.runs()) {
        int pairs =
            ModelComparison.checkSameSizes(text.model(), text.shapes(run), text.shapes(other));
        assertThat(pairs).isGreaterThan(0);
      }
    }
  }
}
