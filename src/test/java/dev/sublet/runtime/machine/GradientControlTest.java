package dev.sublet.runtime.machine;

import static com.google.common.truth.Truth.assertThat;
import static dev.sublet.runtime.machine.ControlFlowTest.feeds;
import static dev.sublet.runtime.machine.ControlFlowTest.floats;
import static dev.sublet.runtime.machine.ControlFlowTest.longs;
import static dev.sublet.runtime.machine.ControlFlowTest.run;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.diag.ProgramException;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.tensor.Tensor;
import dev.sublet.testing.HandPlan;
import dev.sublet.testing.text.ProgramText;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Gradients of loops and branches, against finite differences of the forward program. */
final class GradientControlTest {

  /** h becomes (h·w)² in each iteration; y is the last h. Everything is float64. */
  private static final String LOOP =
      """
      block 0
        feed x: fp64[2]
        feed w: fp64[2]
        feed n: int64[1]
        var i: int64[1]
        var c: bool[1]
        var h: fp64[2]
        var s: step_scopes
        i = fill_constant() {shape: [1], value: 0.0, dtype: 3}
        h = scale(x) {scale: 1.0}
        c = less_than(i, n)
        while(Condition: c, X: i n h w) -> (Out: i c h, StepScopes: s) {sub_block: 1}
        var y: fp64[2]
        y = scale(h) {scale: 3.0}
        var h@GRAD: fp64[2]
        var w@GRAD: fp64[2]
        var x@GRAD: fp64[2]
        h@GRAD = fill_constant() {shape: [2], value: 3.0, dtype: 6}
        while_grad(X: i n h w, Out: i c h, Out@GRAD: h@GRAD, StepScopes: s) \
      -> (X@GRAD: @EMPTY@ @EMPTY@ h@GRAD w@GRAD) \
      {sub_block: 2, original_output_grad: ["h@GRAD"]}
        x@GRAD = scale(h@GRAD) {scale: 1.0}
        fetch(y)
        fetch(x@GRAD)
        fetch(w@GRAD)
      block 1 parent 0
        var p: fp64[2]
        var q: fp64[2]
        p = elementwise_mul(h, w)
        q = square(p)
        h = scale(q) {scale: 1.0}
        i = increment(i)
        c = less_than(i, n)
      block 2 parent 0 forward 1
        var h@GRAD: fp64[2]
        var w@GRAD: fp64[2]
        var q@GRAD: fp64[2]
        var p@GRAD: fp64[2]
        q@GRAD = scale(h@GRAD) {scale: 1.0}
        (X@GRAD: p@GRAD) = square_grad(p, Out@GRAD: q@GRAD)
        (X@GRAD: h@GRAD, Y@GRAD: w@GRAD) = elementwise_mul_grad(h, w, Out@GRAD: p@GRAD)
      """;

  private static Tensor doubles(double... values) {
    return Tensor.of(ImmutableLongArray.of(values.length), values);
  }

  private static double[] fetch(long trips, double[] x, double[] w, int output) {
    ExecutionResult result =
        run(LOOP, "x", doubles(x.clone()), "w", doubles(w.clone()), "n", longs(trips));
    return result.outputs().get(output).tensor().tensor().doubles();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void aLoopsGradient_equalsFiniteDifferences(long trips) {
    double[] x = {0.9, -1.1};
    double[] w = {1.2, 0.8};
    double step = 1e-6;
    double[] gradientOfX = fetch(trips, x, w, 1);
    double[] gradientOfW = fetch(trips, x, w, 2);
    for (int i = 0; i < 2; i++) {
      double[] more = x.clone();
      double[] less = x.clone();
      more[i] += step;
      less[i] -= step;
      double slope = (fetch(trips, more, w, 0)[i] - fetch(trips, less, w, 0)[i]) / (2 * step);
      assertThat(gradientOfX[i]).isWithin(1e-6 * Math.abs(slope)).of(slope);
      more = w.clone();
      less = w.clone();
      more[i] += step;
      less[i] -= step;
      slope = (fetch(trips, x, more, 0)[i] - fetch(trips, x, less, 0)[i]) / (2 * step);
      assertThat(gradientOfW[i]).isWithin(1e-6 * Math.abs(slope)).of(slope);
    }
  }

  /** p is kept for the gradient; what only one iteration needs lies beside it, or where it was. */
  private static final String STEPS =
      """
      step 1 48
      1:p 0 16 15-36
      1:q 16 16 17-20
      2:q@GRAD 16 16 33-36
      2:p@GRAD 32 16 35-38
      2:w@GRAD 0 16 37-40
      """;

  private static ExecutionResult runIn(long trips, String plan) {
    return Executor.run(
        ProgramText.parse(LOOP),
        feeds("x", doubles(0.9, -1.1), "w", doubles(1.2, 0.8), "n", longs(trips)),
        ImmutableMap.of(),
        ExecutionOptions.defaults().in(HandPlan.of(64, plan)),
        SmallKernels.KERNELS);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 7})
  void stepArenas_keepWhatTheGradientNeeds(long trips) {
    assertThat(runIn(trips, STEPS).outputs()).isEqualTo(runIn(trips, "").outputs());
  }

  @Test
  void oneArenaForAllIterations_givesOtherBits() {
    String shared = STEPS.replace("step 1 48", "");

    assertThat(runIn(1, shared).outputs()).isEqualTo(runIn(1, "").outputs());
    assertThat(runIn(2, shared).outputs()).isNotEqualTo(runIn(2, "").outputs());
  }

  @Test
  void bytesOfWhatIsStillNeeded_giveOtherBits() {
    String overlapping = STEPS.replace("2:q@GRAD 16", "2:q@GRAD 8");

    assertThat(runIn(1, overlapping).outputs()).isNotEqualTo(runIn(1, "").outputs());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "step 2 48 | the plan has an arena for each iteration of block 2, but no gradient operator"
            + " visits its iterations",
        "step 1 16 | variable 'q': the plan places it outside its arena",
        "step 1 64 0:y 0 16 27-60 | block 0, op 7 (scale): the plan gives it bytes of"
            + " the iterations of block 1, but it is in none",
      })
  void stepArenas_thatAreNone_areErrors(String line, String message) {
    String first = line.replace(" 0:y", "\n0:y");
    String plan = STEPS.replace("step 1 48", first);

    assertThat(assertThrows(ProgramException.class, () -> runIn(2, plan)))
        .hasMessageThat()
        .isEqualTo(message);
  }

  @Test
  void persistableInputs_areNotSnapshotted_andAllIterationsAddUp() {
    String program =
        LOOP.replace("feed w: fp64[2]", "var w: fp64[2] persistable")
            .replace("fetch(y)", "w = scale(w) {scale: 2.0}");
    ExecutionResult result =
        Executor.run(
            ProgramText.parse(program),
            feeds("x", doubles(0.5, 2), "n", longs(2)),
            ImmutableMap.of("w", doubles(1, 1)),
            ExecutionOptions.defaults(),
            SmallKernels.KERNELS);

    // y = 3·((x·w)²·w)² = 3·x⁴·w⁶: by x 12·x³·w⁶, by w 18·x⁴·w⁵.
    assertThat(result.outputs().get(0).tensor().tensor()).isEqualTo(doubles(1.5, 96));
    assertThat(result.outputs().get(1).tensor().tensor()).isEqualTo(doubles(1.125, 288));
    assertThat(result.persistables()).containsExactly("w", LodTensor.of(doubles(2, 2)));
  }

  private static final String BRANCH =
      """
      block 0
        feed x: fp32[1]
        feed limit: fp32[1]
        var c: bool[1]
        var h: fp32[1]
        c = less_than(x, limit)
        h = scale(x) {scale: 1.0}
        conditional_block(Cond: c, Input: x) -> (Out: h, Scope: s) {sub_block: 1, is_scalar_condition: true}
        var h@GRAD: fp32[1]
        var x@GRAD: fp32[1]
        h@GRAD = fill_constant() {shape: [1], value: 1.0, dtype: 5}
        conditional_block_grad(Cond: c, Input: x, Out@GRAD: h@GRAD, Scope: s) \
      -> (Input@GRAD: x@GRAD) {sub_block: 2, is_scalar_condition: true}
        fetch(h)
        fetch(x@GRAD)
      block 1 parent 0
        a = scale(x) {scale: 2.0}
        h = square(a)
      block 2 parent 0 forward 1
        var a@GRAD: fp32[1]
        var x@GRAD: fp32[1]
        (X@GRAD: a@GRAD) = square_grad(a, Out@GRAD: h@GRAD)
        x@GRAD = scale(a@GRAD) {scale: 2.0}
      """;

  @Test
  void aBranchsGradient_isThatOfTheBranch_orZero() {
    ExecutionResult taken = run(BRANCH, "x", floats(3), "limit", floats(4));
    ExecutionResult other = run(BRANCH, "x", floats(5), "limit", floats(4));

    assertThat(taken.outputs().get(0).tensor().tensor()).isEqualTo(floats(36));
    assertThat(taken.outputs().get(1).tensor().tensor()).isEqualTo(floats(24));
    assertThat(other.outputs().get(0).tensor().tensor()).isEqualTo(floats(5));
    assertThat(other.outputs().get(1).tensor().tensor()).isEqualTo(floats(0));
  }
}
