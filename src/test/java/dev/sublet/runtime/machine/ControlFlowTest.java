package dev.sublet.runtime.machine;

import static com.google.common.truth.Truth.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.diag.ProgramException;
import dev.sublet.program.Program;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;
import dev.sublet.testing.text.ProgramText;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Loops, branches and arrays on numbers that were computed by hand. */
public final class ControlFlowTest {

  /** x is doubled n times. */
  private static final String LOOP =
      """
      block 0
        feed x: fp32[2]
        feed n: int64[1]
        var i: int64[1]
        var c: bool[1]
        var h: fp32[2]
        i = fill_constant() {shape: [1], value: 0.0, dtype: 3}
        h = scale(x) {scale: 1.0}
        c = less_than(i, n)
        while(Condition: c, X: i n h) -> (Out: i c h, StepScopes: s) {sub_block: 1, is_test: true}
        fetch(h)
        fetch(i)
      block 1 parent 0
        var t: fp32[2]
        t = elementwise_add(h, h)
        h = scale(t) {scale: 1.0}
        i = increment(i) {step: 1.0}
        c = less_than(i, n)
      """;

  static Tensor floats(float... values) {
    return Tensor.of(ImmutableLongArray.of(values.length), values);
  }

  static Tensor longs(long... values) {
    return Tensor.of(ImmutableLongArray.of(values.length), values);
  }

  static ImmutableMap<String, LodTensor> feeds(Object... namesAndTensors) {
    ImmutableMap.Builder<String, LodTensor> feeds = ImmutableMap.builder();
    for (int i = 0; i < namesAndTensors.length; i += 2) {
      Tensor tensor = (Tensor) namesAndTensors[i + 1];
      feeds.put((String) namesAndTensors[i], LodTensor.of(tensor));
    }
    return feeds.buildOrThrow();
  }

  static ExecutionResult run(String program, Object... namesAndTensors) {
    return Executor.run(
        ProgramText.parse(program),
        feeds(namesAndTensors),
        ImmutableMap.of(),
        ExecutionOptions.defaults(),
        SmallKernels.KERNELS);
  }

  private static Tensor output(ExecutionResult result, int index) {
    return result.outputs().get(index).tensor().tensor();
  }

  @ParameterizedTest
  @CsvSource({"0,1.5", "1,3", "3,12"})
  void aLoop_runsAsLongAsItsConditionHolds(long trips, float expected) {
    ExecutionResult result = run(LOOP, "x", floats(1.5f, 0), "n", longs(trips));

    assertThat(output(result, 0)).isEqualTo(floats(expected, 0));
    assertThat(output(result, 1)).isEqualTo(longs(trips));
    assertThat(result.operators()).isEqualTo(8 + 4 * trips);
  }

  @Test
  void aLoopWithoutOperatorsThatNeverEnds_isGivenUp() {
    Program program =
        ProgramText.parse(
            "block 0", "feed c: bool[1]", "while(Condition: c) {sub_block: 1}", "block 1 parent 0");
    ProgramException error =
        assertThrows(
            ProgramException.class,
            () ->
                Executor.run(
                    program,
                    feeds("c", Tensor.ofBooleans(ImmutableLongArray.of(1), (byte) 1)),
                    ImmutableMap.of(),
                    ExecutionOptions.defaults().withMaxSteps(1000),
                    SmallKernels.KERNELS));

    assertThat(error).hasMessageThat().contains("(while): given up after 1000 operators");
  }

  @Test
  void aLoopThatNeverEnds_isGivenUp() {
    Program program = ProgramText.parse(LOOP.replace("{step: 1.0}", "{step: 0.0}"));
    ProgramException error =
        assertThrows(
            ProgramException.class,
            () ->
                Executor.run(
                    program,
                    feeds("x", floats(1, 2), "n", longs(1)),
                    ImmutableMap.of(),
                    ExecutionOptions.defaults().withMaxSteps(1000),
                    SmallKernels.KERNELS));

    assertThat(error)
        .hasMessageThat()
        .isEqualTo(
            "block 1, op 2 (increment): given up after 1000 operators; if no loop runs forever,"
                + " allow more with --max-steps");
    assertThat(error.exitCode()).isEqualTo(5);
  }

  @Test
  void nestedLoops_startTheInnerOneAnew() {
    // The outer loop runs n times, the inner one as often as the outer has run: 0 + 1 + 2 + ….
    String program =
        """
        block 0
          feed n: int64[1]
          var i: int64[1]
          var sum: int64[1]
          var one: int64[1]
          var c: bool[1]
          i = fill_constant() {shape: [1], value: 0.0, dtype: 3}
          sum = fill_constant() {shape: [1], value: 0.0, dtype: 3}
          c = less_than(i, n)
          while(Condition: c, X: i n sum) -> (Out: i c sum, StepScopes: s) {sub_block: 1, is_test: true}
          fetch(sum)
        block 1 parent 0
          var j: int64[1]
          var d: bool[1]
          j = fill_constant() {shape: [1], value: 0.0, dtype: 3}
          d = less_than(j, i)
          while(Condition: d, X: i j sum) -> (Out: j d sum, StepScopes: z) {sub_block: 2, is_test: true}
          i = increment(i)
          c = less_than(i, n)
        block 2 parent 1
          sum = increment(sum)
          j = increment(j)
          d = less_than(j, i)
        """;

    assertThat(output(run(program, "n", longs(5)), 0)).isEqualTo(longs(10));
    assertThat(output(run(program, "n", longs(0)), 0)).isEqualTo(longs(0));
  }

  private static final String BRANCHES =
      """
      block 0
        feed x: fp32[1]
        feed limit: fp32[1]
        var c: bool[1]
        var k: bool[1]
        var m: int32[1]
        c = less_than(x, limit)
        k = logical_not(c)
        m = cast(c)
        conditional_block(Cond: c, Input: x) -> (Out: t, Scope: s) {sub_block: 1, is_scalar_condition: true}
        conditional_block(Cond: k, Input: x) -> (Out: f, Scope: s2) {sub_block: 2, is_scalar_condition: true}
        y = select_input(f t, Mask: m)
        fetch(y)
      block 1 parent 0
        t = scale(x) {scale: 10.0}
      block 2 parent 0
        f = scale(x) {scale: -1.0}
      """;

  @Test
  void exclusiveBranches_runOneOfTwo() {
    ExecutionResult taken = run(BRANCHES, "x", floats(2), "limit", floats(3));
    ExecutionResult other = run(BRANCHES, "x", floats(4), "limit", floats(3));

    assertThat(output(taken, 0)).isEqualTo(floats(20));
    assertThat(output(other, 0)).isEqualTo(floats(-4));
    assertThat(taken.bytesCopied()).isEqualTo(4);
    // Neither branch counts the operators of the other.
    assertThat(taken.operators()).isEqualTo(10);
  }

  @Test
  void aBranchThatWasNotTaken_leavesNothingToRead() {
    String wrong = BRANCHES.replace("(f t, Mask: m)", "(t f, Mask: m)");
    ProgramException error =
        assertThrows(ProgramException.class, () -> run(wrong, "x", floats(2), "limit", floats(3)));

    assertThat(error)
        .hasMessageThat()
        .isEqualTo(
            "block 0, op 7 (select_input), variable 'f': input X has no value: nothing has"
                + " written it");
  }

  @Test
  void withoutAScalarCondition_aBranchRunsIfNoInputIsEmpty() {
    String program =
        """
        block 0
          feed x: fp32[-1]
          feed y: fp32[1]
          var c: bool[1]
          var h: fp32[1]
          c = less_than(y, y)
          h = scale(y) {scale: 1.0}
          conditional_block(Cond: c, Input: x y) -> (Out: h, Scope: s) {sub_block: 1}
          fetch(h)
        block 1 parent 0
          h = scale(y) {scale: 3.0}
        """;

    assertThat(output(run(program, "x", floats(7, 8), "y", floats(2)), 0)).isEqualTo(floats(6));
    assertThat(output(run(program, "x", floats(), "y", floats(2)), 0)).isEqualTo(floats(2));
  }

  @Test
  void aConditionOfSeveralElements_isAnError() {
    ProgramException error =
        assertThrows(
            ProgramException.class, () -> run(BRANCHES, "x", floats(2, 3), "limit", floats(3)));

    assertThat(error)
        .hasMessageThat()
        .isEqualTo(
            "block 0, op 5 (conditional_block), variable 'c': input Cond must be one boolean but"
                + " is bool[2]");
  }

  @Test
  void aLocalOfATestLoop_keepsItsValue_butArraysStartEmpty() {
    String program =
        """
        block 0
          feed n: int64[1]
          var i: int64[1]
          var zero: int64[1]
          var c: bool[1]
          var last: int64[1]
          var length: int64[1]
          i = fill_constant() {shape: [1], value: 0.0, dtype: 3}
          zero = fill_constant() {shape: [1], value: 0.0, dtype: 3}
          c = less_than(i, n)
          while(Condition: c, X: i n zero) -> (Out: i c last length, StepScopes: s) {sub_block: 1, is_test: true}
          fetch(last)
          fetch(length)
        block 1 parent 0
          var first: bool[1]
          var local: int64[1]
          var a: array int64[1]
          one = fill_constant() {shape: [1], value: 1.0, dtype: 3}
          first = less_than(i, one)
          conditional_block(Cond: first, Input: i) -> (Out: local, Scope: z) {sub_block: 2, is_scalar_condition: true}
          local = increment(local) {step: 100.0}
          last = scale(local) {scale: 1.0}
          a = write_to_array(i, I: zero)
          length = lod_array_length(a)
          i = increment(i)
          c = less_than(i, n)
        block 2 parent 1
          local = fill_constant() {shape: [1], value: 7.0, dtype: 3}
        """;
    ExecutionResult result = run(program, "n", longs(3));

    assertThat(output(result, 0)).isEqualTo(longs(307));
    assertThat(output(result, 1)).isEqualTo(longs(1));
  }

  @Test
  void arrays_growAndAreReadBack() {
    String program =
        """
        block 0
          feed x: fp32[2]
          feed n: int64[1]
          var i: int64[1]
          var two: int64[1]
          var c: bool[1]
          var a: array fp32[2]
          var h: fp32[2]
          var all: fp32[-1]
          var index: int32[-1]
          var stacked: fp32[-1,-1]
          var length: int64[1]
          i = fill_constant() {shape: [1], value: 0.0, dtype: 3}
          two = fill_constant() {shape: [1], value: 2.0, dtype: 3}
          h = scale(x) {scale: 1.0}
          a = write_to_array(h, I: i)
          c = less_than(i, n)
          while(Condition: c, X: i n h a) -> (Out: i c h a, StepScopes: s) {sub_block: 1, is_test: true}
          second = read_from_array(a, I: two)
          length = lod_array_length(a)
          (Out: all, OutIndex: index) = tensor_array_to_tensor(a) {axis: 0}
          (Out: stacked) = tensor_array_to_tensor(a) {axis: 1, use_stack: true}
          fetch(second)
          fetch(length)
          fetch(all)
          fetch(index)
          fetch(stacked)
        block 1 parent 0
          h = elementwise_add(h, x)
          i = increment(i)
          a = write_to_array(h, I: i)
          c = less_than(i, n)
        """;
    ExecutionResult result = run(program, "x", floats(1, 10), "n", longs(2));

    assertThat(output(result, 0)).isEqualTo(floats(3, 30));
    assertThat(output(result, 1)).isEqualTo(longs(3));
    assertThat(output(result, 2)).isEqualTo(floats(1, 10, 2, 20, 3, 30));
    assertThat(output(result, 3)).isEqualTo(Tensor.of(ImmutableLongArray.of(3), 2, 2, 2));
    assertThat(output(result, 4))
        .isEqualTo(Tensor.of(ImmutableLongArray.of(2, 3), 1f, 2f, 3f, 10f, 20f, 30f));
  }

  @Test
  void arrayOfTensorsOfDifferentRanks_isNotJoined() {
    String program =
        """
        block 0
          feed x: fp32[2]
          feed y: fp32[2,1]
          var i: int64[1]
          var a: array fp32[2]
          var all: fp32[-1]
          i = fill_constant() {shape: [1], value: 0.0, dtype: 3}
          a = write_to_array(x, I: i)
          i = increment(i)
          a = write_to_array(y, I: i)
          (Out: all) = tensor_array_to_tensor(a) {axis: 0}
          fetch(all)
        """;
    ProgramException e =
        assertThrows(
            ProgramException.class,
            () ->
                run(
                    program,
                    "x",
                    floats(1, 2),
                    "y",
                    Tensor.zeros(ElementType.FLOAT32, ImmutableLongArray.of(2, 1))));
    assertThat(e)
        .hasMessageThat()
        .contains("element 1 of the array has rank 2, and element 0 has rank 1");
  }

  @Test
  void recurrent_slicesInputsAndCarriesStates() {
    // The state is the sum so far; each output is the state times w.
    String program =
        """
        block 0
          feed x: fp32[3,2]
          feed h0: fp32[2]
          feed w: fp32[2]
          var o: fp32[3,2]
          recurrent(inputs: x, initial_states: h0, parameters: w) -> (outputs: o, step_scopes: s) {sub_block: 1, has_states: true, ex_states: ["pre"], states: ["h"], reverse: false}
          fetch(o)
        block 1 parent 0
          var x: fp32[2]
          var pre: fp32[2]
          var h: fp32[2]
          var o: fp32[2]
          h = elementwise_add(x, pre)
          o = elementwise_mul(h, w)
        """;
    Tensor x = Tensor.of(ImmutableLongArray.of(3, 2), 1f, 2f, 3f, 4f, 5f, 6f);
    Object[] inputs = {"x", x, "h0", floats(100, 0), "w", floats(1, -1)};

    assertThat(output(run(program, inputs), 0))
        .isEqualTo(Tensor.of(x.shape(), 101f, -2f, 104f, -6f, 109f, -12f));
    assertThat(output(run(program.replace("reverse: false", "reverse: true"), inputs), 0))
        .isEqualTo(Tensor.of(x.shape(), 109f, -12f, 108f, -10f, 105f, -6f));
  }
}
