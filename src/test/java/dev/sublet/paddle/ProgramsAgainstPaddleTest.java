package dev.sublet.paddle;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;
import static java.util.Objects.requireNonNull;

import com.google.common.base.Supplier;
import com.google.common.base.Suppliers;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.sublet.codec.tensor.ParameterReader;
import dev.sublet.diag.ProgramException;
import dev.sublet.paddle.runtime.Feeds;
import dev.sublet.paddle.runtime.Model;
import dev.sublet.paddle.runtime.OracleTensors;
import dev.sublet.paddle.runtime.PaddleBatch;
import dev.sublet.paddle.runtime.PaddleRuntime;
import dev.sublet.paddle.runtime.PaddleRuntime.Mode;
import dev.sublet.paddle.runtime.RuntimeCopy;
import dev.sublet.paddle.runtime.TensorData;
import dev.sublet.program.DataType;
import dev.sublet.program.Program;
import dev.sublet.proto.BlockDesc;
import dev.sublet.proto.OpDesc;
import dev.sublet.proto.ProgramDesc;
import dev.sublet.proto.VarDesc;
import dev.sublet.proto.VarType;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.machine.ExecutionOptions;
import dev.sublet.runtime.machine.ExecutionResult;
import dev.sublet.runtime.machine.Executor;
import dev.sublet.runtime.tensor.Tensor;
import dev.sublet.testing.LongForm;
import dev.sublet.testing.text.ProgramText;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whole programs give in {@link Executor} what they give in a real Paddle, up to the order in which
 * sums are added up. What was measured is in {@code target/program-oracle.md}.
 */
final class ProgramsAgainstPaddleTest {

  /** The largest difference allowed, of the largest number in a tensor. */
  private static final double TOLERANCE = 1e-4;

  /** Feeds of programs that would take minutes with theirs. */
  private static final ImmutableMap<String, Feeds> SMALL =
      ImmutableMap.of(
          "ocr_samouch", Feeds.none().withImage("x", 1, 3, 64, 96),
          "clas_huxj", Feeds.none().withImage("x", 1, 3, 96, 96),
          "picodet_mainbody",
              Feeds.none()
                  .withImage("image", 1, 3, 160, 160)
                  .withRow("im_shape", 160, 160)
                  .withRow("scale_factor", 1, 1),
          "sketch2wireframe",
              Feeds.none()
                  .withImage("image", 1, 3, 64, 96)
                  .withRow("im_info", 64, 96, 1)
                  .withRow("im_shape", 64, 96, 1));

  /** Programs of a fixed size that take minutes: they run with {@code -Dsublet.long=true}. */
  private static final ImmutableSet<String> LONG = ImmutableSet.of("ppyoloe_l");

  /** Programs that find boxes whose scores are so close that a rounding decides their order. */
  private static final ImmutableSet<String> IN_ANY_ORDER = ImmutableSet.of("picodet_mainbody");

  private static final Map<String, String> ROWS = new TreeMap<>();

  /** What the made programs give in Paddle, by program; one process runs them all. */
  private static final Supplier<ImmutableMap<String, ImmutableMap<String, TensorData>>> MADE =
      Suppliers.memoize(ProgramsAgainstPaddleTest::runMadePrograms);

  @BeforeAll
  static void needsRuntime() {
    PaddleRuntime.assumeAvailable();
  }

  @AfterAll
  static void writeTable() throws IOException {
    StringBuilder table = new StringBuilder("| program | outputs | largest difference |\n");
    table.append("|---|--:|--:|\n");
    ROWS.values().forEach(row -> table.append(row).append('\n'));
    Path file = Path.of("target", "program-oracle.md");
    Files.createDirectories(requireNonNull(file.getParent()));
    Files.writeString(file, table);
  }

  static List<Model> madePrograms() {
    List<Model> models = new ArrayList<>(MadePrograms.all());
    models.add(MadePrograms.machineTranslation());
    models.addAll(MadePrograms.arrayGradients());
    models.addAll(MadePrograms.gallery());
    return models.stream().filter(model -> canRun(model.program())).toList();
  }

  static List<String> corpus() {
    return CorpusModels.names().stream()
        .filter(name -> !LONG.contains(name) || LongForm.isOn())
        .filter(name -> canRun(CorpusModels.read(name).program()))
        .toList();
  }

  /** {@code while_grad} gives the gradient of an array no more elements than the array has. */
  @Test
  void gradientsOfArrays_areNoLargerThanTheArrays() {
    Model model = MadePrograms.machineTranslation();
    ProgramDesc.Builder message = model.program().toMessage().toBuilder();
    BlockDesc.Builder block = message.getBlocksBuilder(0);
    int column =
        (int) block.getOpsList().stream().filter(op -> op.getType().equals("fetch")).count();
    List<String> arrays = List.of("emb_array", "mem_array", "emb_array@GRAD", "mem_array@GRAD");
    for (String array : arrays) {
      addOfArray(block, "lod_array_length", array, DataType.INT64, column++);
      addOfArray(block, "read_from_array", array, DataType.FP32, column++);
    }
    ImmutableMap<String, TensorData> outputs =
        PaddleRuntime.run(model.with(Program.of(message.build())), Mode.PLAIN).outputs();
    for (String array : arrays.subList(0, 2)) {
      String length = "lod_array_length of " + array;
      long gradients = length(requireNonNull(outputs.get(length + "@GRAD")));
      assertWithMessage(length).that(gradients).isGreaterThan(0);
      assertWithMessage(length)
          .that(gradients)
          .isAtMost(length(requireNonNull(outputs.get(length))));
      String element = "read_from_array of " + array;
      assertWithMessage(element)
          .that(requireNonNull(outputs.get(element + "@GRAD")).dims())
          .isEqualTo(requireNonNull(outputs.get(element)).dims());
    }
  }

  /**
   * {@code while_grad} reads none of its inputs {@code X} and {@code Out}, only their gradients.
   */
  @Test
  void whileGradient_doesNotReadWhatTheLoopReadAndWrote() {
    Model model = MadePrograms.arrayGradients().get(0);
    StringBuilder overwrite = new StringBuilder("noise = scale(x) {scale: 99.0}\n");
    for (String array : List.of("states", "ins", "outs")) {
      for (int k = 0; k < 4; k++) {
        overwrite.append(array + " = write_to_array(noise, I: k" + k + ")\n");
      }
    }
    overwrite.append("n = fill_constant() {shape: [1L], dtype: 3, value: 99.0}\n");
    overwrite.append("c = less_than(i, n) {axis: -1, force_cpu: true}\n");
    String head = "while_grad(";
    String text = ProgramText.print(model.program());
    assertThat(text).contains("  " + head);
    Program changed = ProgramText.parse(text.replace("  " + head, overwrite + head));
    assertThat(PaddleRuntime.run(model.with(changed), Mode.PLAIN).outputs())
        .isEqualTo(PaddleRuntime.run(model, Mode.PLAIN).outputs());
  }

  private static long length(TensorData length) {
    return length.bytes().asReadOnlyByteBuffer().order(ByteOrder.LITTLE_ENDIAN).getLong();
  }

  /**
   * Adds an operator that reads an array, or the element at {@code zero}, and fetches the result.
   */
  private static void addOfArray(
      BlockDesc.Builder block, String type, String array, DataType result, int column) {
    String name = type + " of " + array;
    VarDesc.Builder variable = block.addVarsBuilder().setName(name);
    variable.getTypeBuilder().setType(VarType.Type.LOD_TENSOR);
    variable
        .getTypeBuilder()
        .getLodTensorBuilder()
        .getTensorBuilder()
        .setDataType(VarType.Type.valueOf(result.name()));
    OpDesc.Builder operation = block.addOpsBuilder().setType(type);
    operation.addInputsBuilder().setParameter("X").addArguments(array);
    if (type.equals("read_from_array")) {
      operation.addInputsBuilder().setParameter("I").addArguments("zero");
    }
    operation.addOutputsBuilder().setParameter("Out").addArguments(name);
    block.addOps(MadePrograms.fetch(name, column));
  }

  @ParameterizedTest
  @MethodSource("madePrograms")
  void madeProgram_givesWhatPaddleGives(Model model) {
    assertClose(model, requireNonNull(requireNonNull(MADE.get()).get(model.name())));
  }

  private static ImmutableMap<String, ImmutableMap<String, TensorData>> runMadePrograms() {
    List<Model> models = madePrograms();
    ImmutableList<PaddleBatch.Result> results = PaddleBatch.runModels(models, Mode.PLAIN);
    ImmutableMap.Builder<String, ImmutableMap<String, TensorData>> outputs = ImmutableMap.builder();
    for (int i = 0; i < models.size(); i++) {
      Model model = models.get(i);
      outputs.put(model.name(), results.get(i).orThrow(model).outputs());
    }
    return outputs.buildOrThrow();
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("corpus")
  void realProgram_givesWhatPaddleGives(String name) {
    Model model = CorpusModels.read(name);
    Feeds feeds = SMALL.get(name);
    model = feeds == null ? model : model.withFeeds(feeds);
    assertClose(model, PaddleRuntime.run(model, Mode.PLAIN).outputs());
  }

  private static boolean canRun(Program program) {
    try {
      Executor.check(program);
      return true;
    } catch (ProgramException e) {
      return false;
    }
  }

  private static void assertClose(Model model, ImmutableMap<String, TensorData> expected) {
    ImmutableMap.Builder<String, LodTensor> feeds = ImmutableMap.builder();
    for (String name : model.feeds().names()) {
      TensorData feed = requireNonNull(model.feeds().tensors().get(name));
      feeds.put(name, OracleTensors.tensor(feed));
    }
    // The runtime gets a copy that it can read; the parameters are the same.
    Program program = RuntimeCopy.of(model.program());
    ImmutableMap<String, Tensor> parameters = ParameterReader.read(model.parameters(), program);
    ImmutableList<ExecutionResult.Output> actual =
        Executor.run(program, feeds.buildOrThrow(), parameters, ExecutionOptions.defaults())
            .outputs();
    assertThat(actual.stream().map(ExecutionResult.Output::name).toList())
        .containsExactlyElementsIn(expected.keySet())
        .inOrder();
    double largest = 0;
    for (ExecutionResult.Output output : actual) {
      LodTensor wanted = OracleTensors.tensor(requireNonNull(expected.get(output.name())));
      assertWithMessage(output.name()).that(output.tensor().lod()).isEqualTo(wanted.lod());
      Tensor tensor = output.tensor().tensor();
      if (IN_ANY_ORDER.contains(model.name()) && tensor.rank() == 2) {
        tensor = inOrderOf(wanted.tensor(), tensor);
      }
      largest = Math.max(largest, difference(output.name(), tensor, wanted.tensor()));
    }
    ROWS.put(
        model.name(), String.format("| %s | %d | %.1e |", model.name(), actual.size(), largest));
    assertWithMessage("largest difference").that(largest).isAtMost(TOLERANCE);
  }

  /** The rows of a matrix, each where another matrix has the row that is nearest to it. */
  private static Tensor inOrderOf(Tensor wanted, Tensor actual) {
    assertThat(actual.shape()).isEqualTo(wanted.shape());
    int width = (int) actual.size(1);
    float[] ordered = new float[actual.length()];
    List<Integer> left = new ArrayList<>();
    for (int row = 0; row < actual.size(0); row++) {
      left.add(row);
    }
    for (int row = 0; row < actual.size(0); row++) {
      int at = row * width;
      int nearest =
          Collections.min(
              left,
              Comparator.comparingDouble(i -> distance(actual, i * width, wanted, at, width)));
      System.arraycopy(actual.floats(), nearest * width, ordered, at, width);
      left.remove(Integer.valueOf(nearest));
    }
    return Tensor.of(actual.shape(), ordered);
  }

  private static double distance(Tensor x, int atX, Tensor y, int atY, int width) {
    double distance = 0;
    for (int k = 0; k < width; k++) {
      distance = Math.max(distance, Math.abs(x.getDouble(atX + k) - y.getDouble(atY + k)));
    }
    return distance;
  }

  /** The largest difference of two elements, of the largest element. */
  private static double difference(String name, Tensor actual, Tensor wanted) {
    assertWithMessage(name).that(actual.type()).isEqualTo(wanted.type());
    assertWithMessage(name).that(actual.shape()).isEqualTo(wanted.shape());
    double scale = Double.MIN_NORMAL;
    double largest = 0;
    for (int i = 0; i < wanted.length(); i++) {
      scale = Math.max(scale, Math.abs(wanted.getDouble(i)));
      double difference = Math.abs(actual.getDouble(i) - wanted.getDouble(i));
      boolean bothNan = Double.isNaN(actual.getDouble(i)) && Double.isNaN(wanted.getDouble(i));
      largest = Math.max(largest, bothNan ? 0 : difference);
    }
    return largest / scale;
  }
}
