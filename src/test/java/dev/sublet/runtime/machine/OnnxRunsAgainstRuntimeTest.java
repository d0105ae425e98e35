package dev.sublet.runtime.machine;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import ai.onnxruntime.OrtException;
import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.sublet.codec.tensor.ModelParameters;
import dev.sublet.onnx.OnnxModel;
import dev.sublet.program.DataType;
import dev.sublet.proto.onnx.GraphProto;
import dev.sublet.proto.onnx.ModelProto;
import dev.sublet.proto.onnx.TensorProto;
import dev.sublet.proto.onnx.ValueInfoProto;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;
import dev.sublet.runtime.tensor.TensorBytes;
import dev.sublet.testing.onnx.NearTensors;
import dev.sublet.testing.onnx.OnnxCase;
import dev.sublet.testing.onnx.RuntimeTensor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The kernels of ONNX's operators against ONNX Runtime, which runs each line of the files {@code
 * cases.txt} and {@code runs*.txt} in {@code testdata/onnx_operators}.
 */
final class OnnxRunsAgainstRuntimeTest {

  private static final Path FOLDER = Path.of("testdata/onnx_operators");

  /** Cases that ONNX Runtime does not have, with the results that follow from specifications. */
  private static final String STATED = "runs_stated.txt";

  /**
   * Lines that ONNX Runtime computes wrong. Of complex signals, its STFT reads memory outside of
   * the window and takes frames at twice the step, so that even its runs differ.
   */
  private static final Set<String> WRONG =
      Set.of("STFT f[1,128,2] i64[]=8 f[16] i64[]=16 ; onesided=0");

  /**
   * Fourier transforms, which may differ by 1e-5 of the largest element: ONNX Runtime computes
   * angles in single precision.
   */
  private static final Set<String> TRANSFORMS = Set.of("DFT", "STFT");

  /** Operators whose numbers are random: only shapes and types are compared. */
  private static final Set<String> RANDOM =
      Set.of(
          "Bernoulli",
          "Multinomial",
          "RandomNormal",
          "RandomNormalLike",
          "RandomUniform",
          "RandomUniformLike");

  static ImmutableList<OnnxCase> cases() throws IOException {
    ImmutableList.Builder<OnnxCase> cases = ImmutableList.builder();
    try (Stream<Path> files = Files.list(FOLDER)) {
      for (Path file : files.sorted().toList()) {
        String name = file.getFileName().toString();
        if (name.equals("cases.txt") || (name.startsWith("runs") && !name.equals(STATED))) {
          read(file).stream()
              .filter(one -> Kernels.all().find(one.type()).isPresent())
              .filter(one -> !WRONG.contains(one.line()))
              .forEach(cases::add);
        }
      }
    }
    return cases.build();
  }

  static ImmutableList<OnnxCase> statedCases() throws IOException {
    return read(FOLDER.resolve(STATED));
  }

  private static ImmutableList<OnnxCase> read(Path file) throws IOException {
    ImmutableList.Builder<OnnxCase> cases = ImmutableList.builder();
    for (String line : Files.readAllLines(file)) {
      if (!line.isEmpty() && !line.startsWith("#")) {
        cases.add(OnnxCase.parse(line));
      }
    }
    return cases.build();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void results_areTheRuntimes(OnnxCase one) throws OrtException {
    ModelProto message = one.constant();
    ImmutableList<RuntimeTensor> shapes = RuntimeTensor.run(message, ImmutableMap.of());
    ImmutableList<byte[]> expected = RuntimeTensor.bytes(message);
    ImmutableList<Tensor> computed = run(message);
    for (int i = 0; i < one.outputs(); i++) {
      ElementType type = type(shapes.get(i).type());
      Tensor there = TensorBytes.get(type, shapes.get(i).dims(), expected.get(i), 0);
      Tensor here = computed.get(i);
      if (RANDOM.contains(one.type())) {
        assertThat(here.shape()).isEqualTo(there.shape());
        assertThat(here.type()).isEqualTo(there.type());
      } else {
        double scale = TRANSFORMS.contains(one.type()) ? largest(there) : 0;
        NearTensors.check("output " + i, here, there, scale);
      }
    }
  }

  private static double largest(Tensor tensor) {
    double largest = 0;
    for (int i = 0; i < tensor.length(); i++) {
      largest = Math.max(largest, Math.abs(tensor.getDouble(i)));
    }
    return largest;
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("statedCases")
  void results_areTheStated(OnnxCase one) {
    List<String> stated = Splitter.on(' ').splitToList(one.stated());
    ImmutableList<Tensor> computed = run(one.constant());
    for (int i = 0; i < stated.size(); i++) {
      TensorProto tensor = OnnxCase.tensor(stated.get(i), "stated");
      GraphProto.Builder graph =
          GraphProto.newBuilder()
              .addInitializer(tensor)
              .addOutput(ValueInfoProto.newBuilder().setName("stated"));
      ModelProto model = ModelProto.newBuilder().setIrVersion(8).setGraph(graph).build();
      NearTensors.check("output " + i, computed.get(i), run(model).get(0), /* scale= */ 0);
    }
  }

  private static ImmutableList<Tensor> run(ModelProto message) {
    OnnxModel model = OnnxModel.of(message);
    return Executor.run(
            model.program(),
            ImmutableMap.of(),
            ModelParameters.read(model),
            ExecutionOptions.defaults())
        .outputs()
        .stream()
        .map(output -> output.tensor().tensor())
        .collect(ImmutableList.toImmutableList());
  }

  private static ElementType type(DataType type) {
    return switch (type) {
      case FP32 -> ElementType.FLOAT32;
      case FP64 -> ElementType.FLOAT64;
      case FP16 -> ElementType.FLOAT16;
      case BF16 -> ElementType.BFLOAT16;
      default -> ElementType.valueOf(type.name());
    };
  }

  /** Each kernel is judged by some line. */
  @Test
  void everyKernel_hasACase() throws IOException {
    Set<String> missing = new TreeSet<>();
    for (String type : Kernels.all().types()) {
      boolean isNode = Character.isUpperCase(type.charAt(0)) || type.startsWith("com.microsoft.");
      if (isNode) {
        missing.add(type);
      }
    }
    cases().forEach(one -> missing.remove(one.type()));
    statedCases().forEach(one -> missing.remove(one.type()));
    assertWithMessage("kernels without a case").that(missing).isEmpty();
    assertWithMessage("cases that run").that(cases().size()).isAtLeast(1300);
  }
}
