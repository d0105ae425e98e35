package dev.sublet.onnx;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtException;
import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.BetterOrder;
import dev.sublet.PlanResult;
import dev.sublet.TranspileOptions;
import dev.sublet.Transpiler;
import dev.sublet.Verifier;
import dev.sublet.cli.CommandRun;
import dev.sublet.peak.Lever;
import dev.sublet.peak.Levers;
import dev.sublet.peak.PlanPeak;
import dev.sublet.peak.ProgramVersion;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.proto.onnx.ModelProto;
import dev.sublet.proto.onnx.NodeProto;
import dev.sublet.shape.ShapeOptions;
import dev.sublet.testing.onnx.RuntimeTensor;
import java.io.IOException;
import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Changes of ONNX models that {@link Levers} lists, run by ONNX Runtime. */
final class OnnxLeversAgainstRuntimeTest {

  private static OnnxModel model(String lines) {
    List<String> all = new ArrayList<>(List.of("=== model"));
    Splitter.on('\n').omitEmptyStrings().split(lines).forEach(line -> all.add(line.strip()));
    ModelProto.Builder model = OnnxText.parseAll(all).get(0).model().toBuilder();
    for (NodeProto.Builder node : model.getGraphBuilder().getNodeBuilderList()) {
      node.setName("node of " + node.getOutput(0)).setDocString("net.py(7): forward");
    }
    return OnnxModel.of(model.build());
  }

  /** The bytes of the outputs for random elements of the first input, the only one that is fed. */
  private static List<byte[]> run(ModelProto model, ImmutableLongArray shape) throws OrtException {
    long count = shape.stream().reduce(1, (a, b) -> a * b);
    float[] elements = new float[Math.toIntExact(count)];
    Random random = new Random(3);
    for (int i = 0; i < elements.length; i++) {
      elements[i] = random.nextFloat() * 2 - 1;
    }
    try (OnnxTensor tensor =
        OnnxTensor.createTensor(
            RuntimeTensor.environment(), FloatBuffer.wrap(elements), shape.toArray())) {
      return RuntimeTensor.bytes(
          model, ImmutableMap.of(model.getGraph().getInput(0).getName(), tensor));
    }
  }

  private static void assertEqualBits(
      String what, OnnxModel original, OnnxModel changed, ImmutableLongArray shape)
      throws OrtException {
    List<byte[]> expected = run(original.toMessage(), shape);
    List<byte[]> actual = run(changed.toMessage(), shape);
    assertWithMessage(what).that(actual).hasSize(expected.size());
    for (int i = 0; i < expected.size(); i++) {
      assertWithMessage("%s, output %s", what, i).that(actual.get(i)).isEqualTo(expected.get(i));
      assertWithMessage(what).that(expected.get(i).length).isGreaterThan(0);
    }
  }

  private static String proof(OnnxModel original, OnnxModel changed) {
    return Verifier.verify(original.program(), changed.program(), TranspileOptions.defaults())
        .toString()
        .strip();
  }

  private static final List<String> BY_ROWS =
      List.of(
          "Conv x w ; pads=[1,1,1,1]",
          "Conv x d ; group=4",
          "ConvTranspose x u ; strides=[2,2]",
          "BatchNormalization x p p p p",
          "MaxPool x ; kernel_shape=[2,2] strides=[2,2]",
          "AveragePool x ; kernel_shape=[3,3]",
          "GlobalAveragePool x",
          "GlobalMaxPool x",
          "Relu x",
          "LeakyRelu x",
          "Sigmoid x",
          "Tanh x",
          "HardSwish x",
          "HardSigmoid x",
          "Elu x",
          "Erf x",
          "Exp x",
          "Neg x",
          "Abs x",
          "Cast x ; to=11",
          "Clip x low high",
          "Add x c",
          "Sub x c",
          "Mul x q",
          "Div x one",
          "Softmax x ; axis=1",
          "Softmax x",
          "LayerNormalization x s ; axis=-1",
          "MatMul x m",
          "Transpose x ; perm=[0,2,3,1]",
          "Flatten x",
          "Add x x",
          "Sub c x",
          "Mul x x",
          "Concat x x ; axis=1",
          "Concat x x x ; axis=-1",
          "Reshape x flat",
          "Reshape x wide");

  private static final List<String> ACROSS_ROWS =
      List.of(
          "Softmax x ; axis=0",
          "Add x r",
          "Sub r x",
          "Concat x r ; axis=1",
          "Concat x x ; axis=0",
          "Concat x x ; axis=-4",
          "Reshape x fixed",
          "Reshape x mixed",
          "Reshape x flat ; allowzero=1",
          "MatMul m x",
          "MatMul x k",
          "Transpose x ; perm=[1,0,2,3]",
          "Flatten x ; axis=2",
          "CumSum x zero",
          "ReduceSum x axes");

  private static final String CONSTANTS =
      """
      x in f[5,4,6,6]
      w const f[8,4,3,3]
      d const f[4,1,3,3]
      u const f[4,3,2,2]
      p const f[4]
      s const f[6]
      c const f[4,1,1]
      q const f[1,4,6,6]
      r const f[5,4,6,6]
      m const f[6,6]
      k const f[5,4,6,6]
      low const f[]=0.0
      high const f[]=0.5
      one const f[]=3.0
      zero const i64[]=0
      axes const i64[1]=0
      flat const i64[2]=0,-1
      wide const i64[3]=-1,24,6
      fixed const i64[2]=5,144
      mixed const i64[2]=-1,36
      """;

  /** The operator of a model on halves of its five rows. */
  private static OnnxModel onHalves(OnnxModel model, String type) {
    Program program = model.program();
    for (Operation operation : program.block(0).operations()) {
      if (operation.type().equals(type)) {
        return model
            .splitting(
                List.of(operation),
                List.of(program.declared(0, "x"), operation.output(0)),
                /* rowsOfFirst= */ 3)
            .orElseThrow();
      }
    }
    throw new AssertionError(type);
  }

  @Test
  void operatorsByRows_giveEqualBitsOnHalves() throws OrtException {
    for (String line : BY_ROWS) {
      OnnxModel model = model("opset 17\n" + CONSTANTS + "y = " + line);
      OnnxModel halves = onHalves(model, line.substring(0, line.indexOf(' ')));
      assertWithMessage(line).that(proof(model, halves)).isEqualTo("valid");
      assertEqualBits(line, model, halves, ImmutableLongArray.of(5, 4, 6, 6));
    }
  }

  @Test
  void matrixProducts_giveEqualBitsOnHalves() throws OrtException {
    String text =
        "opset 17\nx in f[5,8]\nw const f[8,6]\nv const f[6,8]\nb const f[6]\ny = Gemm x ";
    for (String line : List.of("w b", "w", "v b ; transB=1 alpha=0.5")) {
      OnnxModel model = model(text + line);
      OnnxModel halves = onHalves(model, "Gemm");
      assertWithMessage(line).that(proof(model, halves)).isEqualTo("valid");
      assertEqualBits(line, model, halves, ImmutableLongArray.of(5, 8));
    }
    OnnxModel across = model("opset 17\nx in f[5,5]\nw const f[5,6]\ny = Gemm x w ; transA=1");
    assertThat(proof(across, onHalves(across, "Gemm"))).isNotEqualTo("valid");
  }

  @Test
  void operatorsAcrossRows_areRejected() {
    for (String line : ACROSS_ROWS) {
      OnnxModel model = model("opset 17\n" + CONSTANTS + "y = " + line);
      OnnxModel halves = onHalves(model, line.substring(0, line.indexOf(' ')));
      assertWithMessage(line).that(proof(model, halves)).isNotEqualTo("valid");
    }
  }

  /** The first convolution makes the largest tensors; the skip connection is cheap. */
  private static final String NET =
      """
      opset 17
      x in f[4,3,32,32]
      w const f[16,3,3,3]
      p const f[16]
      v const f[24,16,3,3]
      g const f[24,10]
      h const f[10]
      a = Conv x w ; pads=[1,1,1,1]
      b = BatchNormalization a p p p p
      c = Relu b
      d = MaxPool c ; kernel_shape=[2,2] strides=[2,2]
      e = Conv d v ; pads=[1,1,1,1]
      f = GlobalAveragePool e
      l = Flatten f
      y = Gemm l g h
      """;

  /**
   * What exporters make of networks for phones: an activation is an addition, a clip, a product and
   * a division, channels are scaled by a product, and a sum skips a block.
   */
  private static final String BLOCK =
      """
      opset 17
      x in f[4,3,16,16]
      w const f[8,3,3,3]
      u const f[32,8,1,1]
      v const f[32,32,1,1]
      t const f[8,32,1,1]
      three const f[]=3.0
      six const f[]=6.0
      low const f[]=0.0
      a = Conv x w ; pads=[1,1,1,1]
      b = Conv a u
      c = Add b three
      d = Clip c low six
      e = Mul b d
      f = Div e six
      g = GlobalAveragePool f
      h = Conv g v
      i = HardSigmoid h
      j = Mul f i
      k = Conv j t
      l = Add a k
      m = GlobalAveragePool l
      y = Flatten m
      """;

  private static final String SKIP =
      """
      opset 17
      x in f[1,64]
      a = Relu x
      b = Concat a a a a ; axis=1
      c = Tanh b
      d = ReduceMean c ; axes=[1] keepdims=1
      y = Add a d
      """;

  private static List<Lever> levers(OnnxModel model, TranspileOptions options) {
    PlanResult plan = Transpiler.plan(model.program(), options);
    return Levers.find(
            new ProgramVersion(model.program(), Optional.of(model)),
            options,
            plan,
            PlanPeak.of(plan.facts(), plan.plan()),
            BetterOrder.of(model, plan.facts(), options))
        .levers();
  }

  private static Lever lever(OnnxModel model, TranspileOptions options, String words) {
    List<Lever> levers = levers(model, options);
    return levers.stream()
        .filter(lever -> lever.change().contains(words))
        .findFirst()
        .orElseThrow(() -> new AssertionError(levers.toString()));
  }

  private static Lever lever(OnnxModel model, String words) {
    return lever(model, TranspileOptions.defaults(), words);
  }

  /** The change leaves at most that part of the arena. */
  private static void assertApplied(double most, String text, String words, long... shape)
      throws OrtException {
    OnnxModel model = model(text);
    Lever lever = lever(model, words);
    long before = Transpiler.plan(model.program(), TranspileOptions.defaults()).plan().arenaBytes();
    assertThat((double) lever.arenaBytes()).isLessThan(most * before);
    OnnxModel changed = lever.program().orElseThrow().model().orElseThrow();
    assertThat(proof(model, changed)).isEqualTo("valid");
    assertEqualBits(words, model, changed, ImmutableLongArray.copyOf(shape));
  }

  @Test
  void changesThatHelp_giveEqualBits() throws OrtException {
    assertApplied(0.7, NET, "on half the batch", 4, 3, 32, 32);
    assertApplied(1, SKIP, "compute 'a' again", 1, 64);
    assertApplied(0.7, BLOCK, "on half the batch", 4, 3, 16, 16);
    // Before opset 10, a slice has its bounds as attributes, and a clip its limits.
    String old = NET.replace("opset 17", "opset 9");
    assertApplied(0.7, old, "on half the batch", 4, 3, 32, 32);
  }

  /** The halves would both write m and d. */
  @Test
  void anOperatorWithSideOutputs_doesNotRunOnHalves() {
    String text =
        """
        opset 17
        x in f[4,64]
        s const f[256]
        k const f[256,8]
        a = Concat x x x x ; axis=1
        b = Relu a
        c, m, d = LayerNormalization b s
        y = MatMul c k
        """;
    assertThat(levers(model(text), TranspileOptions.defaults()).toString())
        .doesNotContain("on half the batch");
    String alone = text.replace("c, m, d", "c");
    assertThat(levers(model(alone), TranspileOptions.defaults()).toString())
        .contains("on half the batch");
  }

  /** Before opset 4, the axis is 1 where none is given. */
  @Test
  void halvesThatAreJoinedBesideEachOther_areRejected() {
    OnnxModel model = model("opset 3\nx in f[6,6]\ny = Relu x");
    OnnxModel halves = onHalves(model, "Relu");
    ModelProto.Builder beside = halves.toMessage().toBuilder();
    beside.getGraphBuilder().getNodeBuilder(beside.getGraph().getNodeCount() - 1).clearAttribute();

    assertThat(proof(model, halves)).isEqualTo("valid");
    assertThat(proof(model, OnnxModel.of(beside.build()))).isNotEqualTo("valid");
  }

  @Test
  void anOutputThatIsLeftOut_leavesTheOthers() throws OrtException {
    OnnxModel model = model(SKIP.replace("a = Relu x", "z = Exp x\na = Relu x"));
    OnnxModel without =
        lever(model, "without the result 'z'").program().orElseThrow().model().orElseThrow();
    ImmutableLongArray shape = ImmutableLongArray.of(1, 64);
    List<byte[]> all = run(model.toMessage(), shape);
    List<byte[]> left = run(without.toMessage(), shape);
    assertThat(all).hasSize(2);
    assertThat(left).hasSize(1);
    assertThat(left.get(0)).isEqualTo(all.get(1));
  }

  /** The change leaves at most that part of the arena of a model of the corpus. */
  private static void assertAppliedToFile(double most, String name, long... shape)
      throws IOException, OrtException {
    Path file = Path.of(System.getenv("SUBLET_CORPUS"), "onnx", name);
    OnnxModel model = OnnxModel.of(ModelProto.parseFrom(Files.readAllBytes(file)));
    ImmutableLongArray fed = ImmutableLongArray.copyOf(shape);
    String input = model.toMessage().getGraph().getInput(0).getName();
    TranspileOptions options =
        TranspileOptions.defaults()
            .withShapes(ShapeOptions.defaults().withShapes(ImmutableMap.of(input, fed)));
    Lever lever = lever(model, options, "on half the batch");
    long before = Transpiler.plan(model.program(), options).plan().arenaBytes();
    assertWithMessage(name).that((double) lever.arenaBytes()).isLessThan(most * before);
    OnnxModel changed = lever.program().orElseThrow().model().orElseThrow();
    assertEqualBits(name, model, changed, fed);
  }

  /**
   * Measured, as saved and on halves: 103,563,264 and 55,795,712 bytes, 1,769,472 and 1,327,104,
   * 7,782,400 and 6,951,936.
   */
  @Test
  void realModelsOnHalves_giveEqualBits() throws IOException, OrtException {
    assumeTrue(System.getenv("SUBLET_CORPUS") != null, "skipped: SUBLET_CORPUS names no folder");
    assertAppliedToFile(0.6, "superres.onnx", 4, 1, 224, 224);
    assertAppliedToFile(0.8, "ch_ppocr_mobile_v2.0_cls_infer.onnx", 4, 3, 48, 192);
    assertAppliedToFile(0.95, "ch_PP-OCRv4_det_infer.onnx", 4, 3, 160, 160);
  }

  @Test
  void theCommandLine_writesTheModel(@TempDir Path folder) throws IOException, OrtException {
    OnnxModel model = model(NET);
    Path input = folder.resolve("net.onnx");
    Path output = folder.resolve("halves.onnx");
    Files.write(input, model.toMessage().toByteArray());
    ImmutableList<Lever> levers = ImmutableList.copyOf(levers(model, TranspileOptions.defaults()));
    int number = 1;
    while (!levers.get(number - 1).change().contains("on half the batch")) {
      number++;
    }
    CommandRun run = CommandRun.of("explain", input, "--peak", "--apply", number, "-o", output);
    assertWithMessage(run.errors()).that(run.exitCode()).isEqualTo(0);
    assertThat(run.errors())
        .contains(
            "warning: the changed program: give it more than 2 rows; run it with graph"
                + " optimizations off (ORT_DISABLE_ALL)\n");
    assertThat(CommandRun.of("verify", input, output).text()).isEqualTo("valid\n");
    OnnxModel changed = OnnxModel.of(ModelProto.parseFrom(Files.readAllBytes(output)));
    assertEqualBits("halves.onnx", model, changed, ImmutableLongArray.of(4, 3, 32, 32));
  }
}
