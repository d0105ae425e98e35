package dev.sublet;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.plan.Arena;
import dev.sublet.program.Program;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.machine.ExecutionOptions;
import dev.sublet.runtime.machine.ExecutionResult;
import dev.sublet.runtime.machine.Executor;
import dev.sublet.runtime.tensor.Tensor;
import dev.sublet.testing.text.ProgramText;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Programs that train: their gradients are the slopes of what they minimize, and as they are, with
 * shared names and inside an arena they learn the same, bit by bit, step after step.
 */
final class SavedScopesTest {

  private static final int STEPS = 4;

  /** Convolution, activation, pooling, a dense layer and cross entropy; everything is float64. */
  private static final String IMAGES =
      """
      version 2003002
      default fp64[]
      block 0
        feed x: fp64[2,1,6,6]
        feed label: int64[2,1]
        var filter: fp64[2,1,3,3] persistable
        var weights: fp64[8,3] persistable
        var bias: fp64[3] persistable
        var rate: fp64[1] persistable
        var shape1: fp64[0]
        (Output: a) = conv2d(Input: x, Filter: filter) \
      {strides: [1, 1], paddings: [0, 0], dilations: [1, 1], groups: 1, data_format: "NCHW"}
        b = tanh(a)
        c = pool2d(b) {pooling_type: "avg", ksize: [2, 2], strides: [2, 2], paddings: [0, 0]}
        (Out: d, XShape: shape1) = reshape2(X: c) {shape: [2, 8]}
        e = mul(d, weights) {x_num_col_dims: 1, y_num_col_dims: 1}
        f = elementwise_add(e, bias) {axis: 1}
        (Softmax: p, Loss: g) = softmax_with_cross_entropy(Logits: f, Label: label) \
      {soft_label: false, axis: -1}
        cost = mean(g)
        cost@GRAD = fill_constant() {shape: [1], value: 1.0, dtype: 6}
        (X@GRAD: g@GRAD) = mean_grad(g, Out@GRAD: cost@GRAD)
        (Logits@GRAD: f@GRAD) = softmax_with_cross_entropy_grad(Label: label, Softmax: p, \
      Loss@GRAD: g@GRAD) {soft_label: false, axis: -1}
        (X@GRAD: e@GRAD, Y@GRAD: bias@GRAD) = elementwise_add_grad(e, bias, Out@GRAD: f@GRAD) \
      {axis: 1}
        (X@GRAD: d@GRAD, Y@GRAD: weights@GRAD) = mul_grad(d, weights, Out@GRAD: e@GRAD) \
      {x_num_col_dims: 1, y_num_col_dims: 1}
        (X@GRAD: c@GRAD) = reshape2_grad(XShape: shape1, Out@GRAD: d@GRAD) {shape: [2, 8]}
        (X@GRAD: b@GRAD) = pool2d_grad(b, Out: c, Out@GRAD: c@GRAD) \
      {pooling_type: "avg", ksize: [2, 2], strides: [2, 2], paddings: [0, 0]}
        (X@GRAD: a@GRAD) = tanh_grad(Out: b, Out@GRAD: b@GRAD)
        (Filter@GRAD: filter@GRAD) = conv2d_grad(Input: x, Filter: filter, Output@GRAD: a@GRAD) \
      {strides: [1, 1], paddings: [0, 0], dilations: [1, 1], groups: 1, data_format: "NCHW"}
        fetch(cost)
        fetch(filter@GRAD)
        fetch(weights@GRAD)
        fetch(bias@GRAD)
        (ParamOut: filter) = sgd(Param: filter, Grad: filter@GRAD, LearningRate: rate)
        (ParamOut: weights) = sgd(Param: weights, Grad: weights@GRAD, LearningRate: rate)
        (ParamOut: bias) = sgd(Param: bias, Grad: bias@GRAD, LearningRate: rate)
      """;

  /** h becomes tanh(h·w) three times; the mean square of the last one is minimized. */
  private static final String LOOP =
      """
      version 2003002
      default fp64[]
      block 0
        feed x: fp64[2,3]
        var w: fp64[3,3] persistable
        var rate: fp64[1] persistable
        var i: int64[1]
        var n: int64[1]
        var c: bool[1]
        var h: fp64[2,3]
        var s: step_scopes
        i = fill_constant() {shape: [1], value: 0.0, dtype: 3}
        n = fill_constant() {shape: [1], value: 3.0, dtype: 3}
        h = scale(x) {scale: 1.0}
        c = less_than(i, n)
        while(Condition: c, X: i n h w) -> (Out: i c h, StepScopes: s) {sub_block: 1}
        y = square(h)
        cost = mean(y)
        var h@GRAD: fp64[2,3]
        var w@GRAD: fp64[3,3]
        cost@GRAD = fill_constant() {shape: [1], value: 1.0, dtype: 6}
        (X@GRAD: y@GRAD) = mean_grad(y, Out@GRAD: cost@GRAD)
        (X@GRAD: h@GRAD) = square_grad(h, Out@GRAD: y@GRAD)
        while_grad(X: i n h w, Out: i c h, Out@GRAD: h@GRAD, StepScopes: s) \
      -> (X@GRAD: @EMPTY@ @EMPTY@ h@GRAD w@GRAD) \
      {sub_block: 2, original_output_grad: ["h@GRAD"]}
        fetch(cost)
        fetch(w@GRAD)
        (ParamOut: w) = sgd(Param: w, Grad: w@GRAD, LearningRate: rate)
      block 1 parent 0
        var p: fp64[2,3]
        var q: fp64[2,3]
        p = mul(h, w) {x_num_col_dims: 1, y_num_col_dims: 1}
        q = tanh(p)
        h = scale(q) {scale: 1.0}
        i = increment(i)
        c = less_than(i, n)
      block 2 parent 0 forward 1
        var h@GRAD: fp64[2,3]
        var w@GRAD: fp64[3,3]
        var q@GRAD: fp64[2,3]
        var p@GRAD: fp64[2,3]
        q@GRAD = scale(h@GRAD) {scale: 1.0}
        (X@GRAD: p@GRAD) = tanh_grad(Out: q, Out@GRAD: q@GRAD)
        (X@GRAD: h@GRAD, Y@GRAD: w@GRAD) = mul_grad(h, w, Out@GRAD: p@GRAD) \
      {x_num_col_dims: 1, y_num_col_dims: 1}
      """;

  /**
   * A program, what an iteration of its loop keeps, what it is fed with, and the parameters whose
   * gradients follow its cost.
   */
  private record Training(
      Program program,
      long stepBytes,
      ImmutableMap<String, LodTensor> feeds,
      ImmutableMap<String, Tensor> start,
      List<String> parameters) {

    ExecutionResult run(Program form, Map<String, Tensor> state, ExecutionOptions options) {
      return Executor.run(form, feeds, ImmutableMap.copyOf(state), options);
    }

    double cost(Map<String, Tensor> state) {
      return run(program, state, ExecutionOptions.defaults())
          .outputs()
          .get(0)
          .tensor()
          .tensor()
          .getDouble(0);
    }
  }

  private static Tensor random(int seed, long... shape) {
    SplittableRandom random = new SplittableRandom(seed);
    double[] elements = new double[Tensor.length(ImmutableLongArray.copyOf(shape))];
    for (int i = 0; i < elements.length; i++) {
      elements[i] = random.nextDouble(-1, 1);
    }
    return Tensor.of(ImmutableLongArray.copyOf(shape), elements);
  }

  static List<Training> programs() {
    Tensor rate = Tensor.of(ImmutableLongArray.of(1), 0.5);
    return List.of(
        new Training(
            ProgramText.parse(IMAGES),
            /* stepBytes= */ 0,
            ImmutableMap.of(
                "x",
                LodTensor.of(random(1, 2, 1, 6, 6)),
                "label",
                LodTensor.of(Tensor.of(ImmutableLongArray.of(2, 1), 2L, 0L))),
            ImmutableMap.of(
                "filter", random(2, 2, 1, 3, 3),
                "weights", random(3, 8, 3),
                "bias", random(4, 3),
                "rate", rate),
            List.of("filter", "weights", "bias")),
        new Training(
            ProgramText.parse(LOOP),
            /* stepBytes= */ 48,
            ImmutableMap.of("x", LodTensor.of(random(5, 2, 3))),
            ImmutableMap.of("w", random(6, 3, 3), "rate", rate),
            List.of("w")));
  }

  @ParameterizedTest
  @MethodSource("programs")
  void gradients_areTheSlopesOfTheCost(Training training) {
    double step = 1e-6;
    ExecutionResult result =
        training.run(training.program(), training.start(), ExecutionOptions.defaults());
    for (int k = 0; k < training.parameters().size(); k++) {
      String name = training.parameters().get(k);
      Tensor gradient = result.outputs().get(k + 1).tensor().tensor();
      Tensor parameter = Objects.requireNonNull(training.start().get(name));
      assertThat(gradient.shape()).isEqualTo(parameter.shape());
      for (int i = 0; i < parameter.length(); i++) {
        double slope =
            (training.cost(moved(training, name, i, step))
                    - training.cost(moved(training, name, i, -step)))
                / (2 * step);
        assertWithMessage("%s[%s]", name, i).that(gradient.getDouble(i)).isWithin(1e-8).of(slope);
      }
    }
  }

  private static Map<String, Tensor> moved(Training training, String name, int i, double by) {
    Tensor parameter = Objects.requireNonNull(training.start().get(name));
    double[] elements = parameter.doubles().clone();
    elements[i] += by;
    Map<String, Tensor> state = new LinkedHashMap<>(training.start());
    state.put(name, Tensor.of(parameter.shape(), elements));
    return state;
  }

  @ParameterizedTest
  @MethodSource("programs")
  void asItIs_withSharedNames_andInTheArena_itLearnsTheSame(Training training) {
    TranspileResult transpiled =
        Transpiler.transpile(training.program(), TranspileOptions.defaults());
    assertThat(transpiled.sharing().bytesAfter()).isLessThan(transpiled.sharing().bytesBefore());
    long stepBytes = transpiled.plan().stepArenas().stream().mapToLong(Arena::bytes).sum();
    assertThat(stepBytes).isEqualTo(training.stepBytes());
    ExecutionOptions plain = ExecutionOptions.defaults();
    Map<String, Tensor> state = training.start();
    double first = training.cost(state);
    for (int i = 0; i < STEPS; i++) {
      ExecutionResult expected = training.run(training.program(), state, plain);
      ExecutionResult shared = training.run(transpiled.program(), state, plain);
      ExecutionResult placed =
          training.run(transpiled.program(), state, plain.in(transpiled.plan()));
      assertSame(shared, expected);
      assertSame(placed, expected);
      state = next(state, expected);
    }
    assertThat(training.cost(state)).isLessThan(first);
  }

  private static void assertSame(ExecutionResult actual, ExecutionResult expected) {
    assertThat(actual.outputs().stream().map(ExecutionResult.Output::tensor).toList())
        .containsExactlyElementsIn(
            expected.outputs().stream().map(ExecutionResult.Output::tensor).toList())
        .inOrder();
    assertThat(actual.persistables()).containsExactlyEntriesIn(expected.persistables());
  }

  private static Map<String, Tensor> next(Map<String, Tensor> state, ExecutionResult result) {
    Map<String, Tensor> next = new LinkedHashMap<>(state);
    result.persistables().forEach((name, value) -> next.put(name, value.tensor()));
    return next;
  }
}
