package dev.sublet.peak;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.PlanResult;
import dev.sublet.TranspileOptions;
import dev.sublet.Transpiler;
import dev.sublet.Verifier;
import dev.sublet.analysis.ProgramFacts;
import dev.sublet.program.DataType;
import dev.sublet.program.OperatorEdits;
import dev.sublet.program.OperatorEdits.SplitPart;
import dev.sublet.program.Program;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.kernel.RandomTensors;
import dev.sublet.runtime.machine.ExecutionOptions;
import dev.sublet.runtime.machine.Executor;
import dev.sublet.runtime.tensor.Tensor;
import dev.sublet.shape.RowOperators;
import dev.sublet.testing.text.ProgramText;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The operator at the peak on two halves of its batch. */
final class BatchSplitTest {

  private static final String HEAD =
      """
      version 2003002
      block 0
        feed x: fp32[5,4,6,6]
        var w: fp32[8,4,3,3] persistable parameter
        var p: fp32[4] persistable parameter
        var q: fp32[1,4,6,6] persistable parameter
        var r: fp32[5,4,6,6] persistable parameter
        var m: fp32[6,7] persistable parameter
        var n: fp32[144,7] persistable parameter
        var scale: fp32[4] persistable parameter
        var d: fp32[4,1,3,3] persistable parameter
        var t: fp32[4,3,2,2] persistable parameter
        var shape: int32[2] persistable parameter
        default fp32[5,-1,-1,-1]
      """;

  private static final String NORM =
      "(Y: y, MeanOut: p, VarianceOut: scale, SavedMean: sm, SavedVariance: sv) ="
          + " batch_norm(X: x, Scale: p, Bias: p, Mean: p, Variance: scale) ";

  private static final String INTERPOLATION =
      "{out_h: 9, out_w: 11, align_corners: false, align_mode: 0, data_layout: \"NCHW\"}";

  private static final List<String> BY_ROWS =
      List.of(
          "(Output: y) = conv2d(Input: x, Filter: w) {strides: [1,1], paddings: [1,1],"
              + " dilations: [1,1], groups: 1}",
          NORM + "{is_test: true}",
          "y = relu(x)",
          "y = hard_swish(x)",
          "y = swish(x)",
          "y = scale(x) {scale: 2.0, bias: 1.0}",
          "y = cast(x) {in_dtype: 5, out_dtype: 5}",
          "y = softmax(x) {axis: 1}",
          "y = softmax(x) {axis: -1}",
          "y = pool2d(x) {pooling_type: \"max\", ksize: [2,2], strides: [2,2], paddings: [0,0]}",
          "y = elementwise_add(X: x, Y: p) {axis: 1}",
          "y = elementwise_mul(X: x, Y: q)",
          "y = elementwise_add(X: x, Y: x)",
          "y = concat(X: x x) {axis: 1}",
          "y = concat(X: x x) {axis: -1}",
          "y = concat(X: x x, AxisTensor:) {axis: 1}",
          "y = matmul_v2(X: x, Y: m)",
          "y = mul(X: x, Y: n) {x_num_col_dims: 1, y_num_col_dims: 1}",
          "(Out: y, XShape: z) = transpose2(x) {axis: [0,2,3,1]}",
          "(Y: y, Mean: a, Variance: b) = layer_norm(X: x) {begin_norm_axis: 2}",
          "(Output: y) = depthwise_conv2d(Input: x, Filter: d) {strides: [1,1], paddings: [1,1],"
              + " dilations: [1,1], groups: 4}",
          "(Output: y) = conv2d_transpose(Input: x, Filter: t) {strides: [2,2], paddings: [0,0],"
              + " dilations: [1,1], groups: 1}",
          "y = relu6(x) {threshold: 6.0}",
          "y = leaky_relu(x) {alpha: 0.1}",
          "y = sigmoid(x)",
          "y = tanh(x)",
          "y = hard_sigmoid(x) {slope: 0.2, offset: 0.5}",
          "y = gelu(x)",
          "y = exp(x)",
          "y = sqrt(x)",
          "y = square(x)",
          "y = abs(x)",
          "y = clip(x) {min: -0.5, max: 0.5}",
          "y = elementwise_sub(X: x, Y: p) {axis: 1}",
          "y = elementwise_div(X: x, Y: scale) {axis: 1}",
          "y = matmul(X: x, Y: m)",
          "y = dropout(x) {is_test: true, dropout_prob: 0.5,"
              + " dropout_implementation: \"upscale_in_train\"}",
          "(Out: y, XShape: z) = reshape2(x) {shape: [0,-1]}",
          "(Out: y, XShape: z) = reshape2(x) {shape: [-1,24,6]}",
          "(Out: y, XShape: z) = flatten_contiguous_range(x) {start_axis: 1, stop_axis: 3}",
          "y = nearest_interp(x) " + INTERPOLATION,
          "y = nearest_interp_v2(x) " + INTERPOLATION,
          "y = bilinear_interp(x) " + INTERPOLATION,
          "y = bilinear_interp_v2(x) " + INTERPOLATION);

  private static final List<String> ACROSS_ROWS =
      List.of(
          NORM + "{is_test: false}",
          "y = softmax(x) {axis: 0}",
          "y = softmax(x) {axis: -4}",
          "y = elementwise_add(X: x, Y: r)",
          "y = elementwise_add(X: r, Y: x)",
          "y = concat(X: x r) {axis: 1}",
          "y = concat(X: x x) {axis: 0}",
          "y = concat(X: x x) {axis: -4}",
          "y = matmul_v2(X: x, Y: m) {trans_x: true}",
          "(Out: y, XShape: z) = transpose2(x) {axis: [1,0,2,3]}",
          "(Y: y, Mean: a, Variance: b) = layer_norm(X: x) {begin_norm_axis: 0}",
          "(Out: y, XShape: z) = reshape2(X: x, Shape: shape) {shape: [0,-1]}",
          "(Out: y, XShape: z) = reshape2(x) {shape: [20,36]}",
          "(Out: y, XShape: z) = flatten_contiguous_range(x) {start_axis: 0, stop_axis: 1}",
          "y = reduce_sum(x) {dim: [0], keep_dim: true}",
          "y = cumsum(x) {axis: 0}");

  private static Program program(String line) {
    return ProgramText.parse(HEAD + "  " + line + "\n  fetch(y)\n");
  }

  private static PlanResult plan(Program program) {
    return Transpiler.plan(program, TranspileOptions.defaults());
  }

  private static boolean hasRows(Program program) {
    ProgramFacts facts = plan(program).facts();
    return new RowOperators(program, facts.sizes(), facts.lod())
        .rows(program.block(0).operations().get(1))
        .isPresent();
  }

  private static String proof(Program original, Program changed) {
    return Verifier.verify(original, changed, TranspileOptions.defaults()).toString();
  }

  private static ImmutableList<Tensor> run(Program program, ImmutableLongArray shape) {
    LodTensor feed = LodTensor.of(RandomTensors.feed("x", 0, DataType.FP32, shape));
    return Executor.run(
            program,
            ImmutableMap.of("x", feed),
            RandomTensors.parameters(program),
            ExecutionOptions.defaults().in(plan(program).plan()))
        .outputs()
        .stream()
        .map(output -> output.tensor().tensor())
        .collect(ImmutableList.toImmutableList());
  }

  @Test
  void operatorsByRows_computeTheSameOnHalves() {
    ImmutableLongArray shape = ImmutableLongArray.of(5, 4, 6, 6);
    for (String line : BY_ROWS) {
      Program program = program(line);
      assertWithMessage(line).that(hasRows(program)).isTrue();
      SplitPart part = new SplitPart(ImmutableList.of(1), ImmutableList.of("x", "y"), 5);
      Program split = OperatorEdits.splitting(program, part);
      assertWithMessage(line).that(split.operationCount()).isEqualTo(program.operationCount() + 4);
      assertWithMessage(line).that(run(split, shape)).isEqualTo(run(program, shape));
      assertWithMessage(line).that(proof(program, split)).isEqualTo("valid");
    }
  }

  @Test
  void operatorsAcrossRows_areNotSplit() {
    for (String line : ACROSS_ROWS) {
      assertWithMessage(line).that(hasRows(program(line))).isFalse();
    }
  }

  private static final String NET =
      """
      version 2003002
      block 0
        feed x: fp32[4,3,8,8]
        var w: fp32[3,3,3,3] persistable parameter
        var v: fp32[16,3,1,1] persistable parameter
        default fp32[4,-1,-1,-1]
        (Output: a) = conv2d(Input: x, Filter: w) {strides: [1,1], paddings: [1,1], dilations: [1,1], groups: 1}
        (Output: b) = conv2d(Input: a, Filter: v) {strides: [1,1], paddings: [0,0], dilations: [1,1], groups: 1}
        c = relu(b)
        d = pool2d(c) {pooling_type: "max", ksize: [4,4], strides: [4,4], paddings: [0,0]}
        e = tanh(a)
        y = reduce_sum(d) {dim: [0], keep_dim: true}
        fetch(y)
        fetch(e)
      """;

  @Test
  void theChainAroundThePeak_runsOnHalves() {
    Program program = ProgramText.parse(NET);
    PlanResult whole = plan(program);
    PlanPeak peak = PlanPeak.of(whole.facts(), whole.plan());
    assertThat(peak.at()).isEqualTo("block 0, op 4 (pool2d)");

    // a has a second reader, so the halves begin after it; sizes grow up to c.
    ImmutableList<BatchSplit> splits =
        BatchSplit.of(ProgramVersion.of(whole.facts().program()), whole.facts(), peak.node());
    assertThat(splits.stream().map(split -> split.first() + " to " + split.last()).toList())
        .containsExactly("block 0, op 2 (conv2d) to block 0, op 4 (pool2d)");
    BatchSplit split = splits.get(0);
    assertThat(split.copiedBytes()).isEqualTo(4 * (4 * 3 * 64 + 4 * 16 * 4));
    assertThat(plan(split.program().program()).plan().arenaBytes())
        .isLessThan(whole.plan().arenaBytes() * 8 / 10);
    ImmutableLongArray shape = ImmutableLongArray.of(4, 3, 8, 8);
    assertThat(run(split.program().program(), shape)).isEqualTo(run(program, shape));
    assertThat(proof(program, split.program().program())).isEqualTo("valid");
  }

  private static String obstacle(String text) {
    PlanResult whole = plan(ProgramText.parse(text));
    PlanPeak peak = PlanPeak.of(whole.facts(), whole.plan());
    return BatchSplit.obstacle(
        ProgramVersion.of(whole.facts().program()), whole.facts(), peak.node());
  }

  @Test
  void theObstacle_namesTheOperator() {
    assertThat(obstacle(NET.replace("[4,3,8,8]", "[1,3,8,8]").replace("[4,-1", "[1,-1")))
        .isEqualTo("block 0, op 4 (pool2d) has one row");
    assertThat(obstacle(NET.replace("c = relu(b)", "c = cumsum(b) {axis: 0}\n  b = exp(c)")))
        .isEqualTo("block 0, op 3 (cumsum) is not known to compute row by row");
    String results =
        """
        version 2003002
        block 0
          feed x: fp32[4,8]
          default fp32[4,8]
          a = exp(x)
          b = tanh(a)
          c = relu(b)
          fetch(a)
          fetch(b)
          fetch(c)
        """;
    assertThat(obstacle(results))
        .isEqualTo(
            "around block 0, op 3 (relu) before block 0, op 6 (fetch), no operators can run on halves"
                + " together");
  }

  @Test
  void aResultInTheMiddle_endsTheHalves() {
    PlanResult whole = plan(ProgramText.parse(NET));
    PlanResult kept = plan(ProgramText.parse(NET.replace("fetch(e)", "fetch(e)\n  fetch(c)")));
    assertThat(BatchSplit.of(ProgramVersion.of(whole.facts().program()), whole.facts(), 2))
        .hasSize(1);
    assertThat(BatchSplit.of(ProgramVersion.of(kept.facts().program()), kept.facts(), 2)).isEmpty();
  }

  /** Two products, each of a tensor and of one computed from it; a sum skips both. */
  private static final String PATHS =
      """
      version 2003002
      block 0
        feed x: fp32[4,3,8,8]
        var w: fp32[16,3,1,1] persistable parameter
        var v: fp32[3,16,1,1] persistable parameter
        default fp32[4,-1,-1,-1]
        a = relu(x)
        (Output: b) = conv2d(Input: a, Filter: w) {strides: [1,1], paddings: [0,0], dilations: [1,1], groups: 1}
        c = hard_sigmoid(b) {slope: 0.2, offset: 0.5}
        d = elementwise_mul(b, c)
        e = pool2d(d) {pooling_type: "avg", ksize: [1,1], strides: [1,1], paddings: [0,0], global_pooling: true}
        f = sigmoid(e)
        g = elementwise_mul(d, f)
        (Output: h) = conv2d(Input: g, Filter: v) {strides: [1,1], paddings: [0,0], dilations: [1,1], groups: 1}
        i = elementwise_add(a, h)
        j = pool2d(i) {pooling_type: "avg", ksize: [1,1], strides: [1,1], paddings: [0,0], global_pooling: true}
        y = reduce_sum(j) {dim: [0], keep_dim: true}
        fetch(y)
      """;

  @Test
  void pathsBesideEachOther_runOnHalvesTogether() {
    Program program = ProgramText.parse(PATHS);
    PlanResult whole = plan(program);
    PlanPeak peak = PlanPeak.of(whole.facts(), whole.plan());
    ImmutableList<BatchSplit> splits =
        BatchSplit.of(ProgramVersion.of(whole.facts().program()), whole.facts(), peak.node());
    List<String> ends =
        splits.stream().map(split -> split.first() + " to " + split.last()).toList();
    assertThat(ends).contains("block 0, op 2 (conv2d) to block 0, op 10 (pool2d)");
    ImmutableLongArray shape = ImmutableLongArray.of(4, 3, 8, 8);
    for (BatchSplit split : splits) {
      Program changed = split.program().program();
      assertThat(run(changed, shape)).isEqualTo(run(program, shape));
      assertThat(proof(program, changed)).isEqualTo("valid");
    }
    long least =
        splits.stream()
            .mapToLong(split -> plan(split.program().program()).plan().arenaBytes())
            .min()
            .orElseThrow();
    assertThat((double) least).isLessThan(0.7 * whole.plan().arenaBytes());
  }

  /** A path that leads out, or a tensor that comes in from elsewhere, ends the halves. */
  @Test
  void aPathThatLeadsElsewhere_isNotCut() {
    String toResult = PATHS.replace("fetch(y)", "fetch(y)\n  fetch(c)");
    String fromElsewhere =
        PATHS
            .replace("default", "feed z: fp32[4,16,1,1]\n  default")
            .replace("elementwise_mul(d, f)", "elementwise_mul(d, z)");
    for (String text : List.of(toResult, fromElsewhere)) {
      PlanResult whole = plan(ProgramText.parse(text));
      for (int node = 0; node < 11; node++) {
        for (BatchSplit split :
            BatchSplit.of(ProgramVersion.of(whole.facts().program()), whole.facts(), node)) {
          assertThat(proof(ProgramText.parse(text), split.program().program())).isEqualTo("valid");
          assertThat(split.first() + " to " + split.last())
              .isNotEqualTo("block 0, op 2 (conv2d) to block 0, op 10 (pool2d)");
        }
      }
    }
  }

  private static List<String> splits(String text) {
    PlanResult whole = plan(ProgramText.parse(text));
    return BatchSplit.of(ProgramVersion.of(whole.facts().program()), whole.facts(), 2).stream()
        .map(BatchSplit::first)
        .toList();
  }

  /** All of it would run after the operator that changes the filter. */
  @Test
  void aParameterThatChangesInBetween_endsTheHalves() {
    String changed = NET.replace("c = relu(b)", "v = scale(v) {scale: 2.0}\n    c = relu(b)");
    assertThat(splits(NET)).containsExactly("block 0, op 2 (conv2d)");
    assertThat(splits(changed)).isEmpty();
  }

  /** A slice would cut sequences. */
  @Test
  void sequences_areNoRows() {
    String text =
        """
        version 2003002
        block 0
          feed x: fp32[4,8]
          var w: fp32[8,64] persistable parameter
          var v: fp32[64,8] persistable parameter
          default fp32[4,-1]
          a = matmul_v2(X: x, Y: w)
          b = relu(a)
          c = matmul_v2(X: b, Y: v)
          fetch(c)
        """;
    assertThat(splits(text)).isNotEmpty();
    assertThat(splits(text.replace("feed x: fp32[4,8]", "feed x: fp32[4,8] lod(1)"))).isEmpty();
  }
}
