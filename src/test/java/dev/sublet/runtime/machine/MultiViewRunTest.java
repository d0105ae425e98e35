package dev.sublet.runtime.machine;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;
import static dev.sublet.runtime.machine.ControlFlowTest.floats;
import static dev.sublet.runtime.machine.ControlFlowTest.longs;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.diag.ProgramException;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.testing.HandPlan;
import dev.sublet.testing.text.ProgramText;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Loops whose carried variables move: with a right plan the bits are those of a run with one buffer
 * a variable, however often the loop iterates, and nothing is copied; with a wrong one they differ.
 */
final class MultiViewRunTest {

  /** Nodes 0 to 6; the loop's head is 7. */
  private static final String BEGIN =
      """
      version 2003002
      default fp32[4]
      block 0
        feed x0: fp32[4]
        feed n: int64[1]
        feed m: int64[1]
        var i: int64[1]
        var c: bool[1]
        x = assign(x0)
        acc = scale(x0) {scale: 0.5}
        i = fill_constant() {shape: [1], value: 0.0, dtype: 3}
        c = less_than(i, n)
      """;

  /** Body: 8 to 13, exit 14; x is read at 18 and 20 after the carry at 23. */
  private static final String PING_PONG =
      BEGIN
          + """
            while(Condition: c, X: i n x acc) -> (Out: i c x acc, StepScopes: s) {sub_block: 1, is_test: true}
            fetch(x)
            fetch(acc)
            fetch(x0)
          block 1 parent 0
            y = scale(x) {scale: 2.0, bias: 1.0}
            z = elementwise_add(x, y)
            acc = elementwise_add(acc, z)
            x = assign(y)
            i = increment(i)
            c = less_than(i, n)
          """;

  private static final String PING_PONG_PLAN =
      """
      0:x 1[0,16] 16 7-23 28-40
      0:x 1[16,0] 16 23-28
      1:y 1[16,0] 16 17-24
      1:z 32 16 19-22
      0:acc 48 16 9-40
      skip 1.3 1:y 0:x
      """;

  /** y = x + v, v ≤ x, x ≤ y; the head is 8, the body 9 to 13, the exit 14. */
  private static final String CHAIN =
      BEGIN
          + """
            v = scale(x0) {scale: 3.0}
            while(Condition: c, X: i n x v) -> (Out: i c x v, StepScopes: s) {sub_block: 1, is_test: true}
            fetch(x)
            fetch(v)
          block 1 parent 0
            y = sum(x v)
            v = assign(x)
            x = assign(y)
            i = increment(i)
            c = less_than(i, n)
          """;

  private static final String CHAIN_PLAN =
      """
      0:x 1[0,32,16] 16 7-23 28-40
      0:x 1[32,16,0] 16 23-28
      0:v 1[16,0,32] 16 15-21 28-40
      0:v 1[0,32,16] 16 21-28
      1:y 1[32,16,0] 16 19-24
      skip 1.1 0:x 0:v
      skip 1.2 1:y 0:x
      """;

  /** x0 stays where it is: x is there too until the first iteration has ended. */
  private static final String SURVIVOR_PLAN =
      """
      0:x0 0 16 0-40
      0:x 1{0}[16,32] 16 7-23 28-40
      0:x 1[16,32] 16 23-28
      1:y 1[16,32] 16 17-24
      1:z 48 16 19-22
      0:acc 64 16 9-40
      skip 0.3 0:x0 0:x
      skip 1.3 1:y 0:x
      """;

  /** Head 7; body 8 to 21 with the inner head 11, body 12 to 16 and exit 17; exit 22. */
  private static final String NESTED =
      BEGIN
          + """
            while(Condition: c, X: i n m x) -> (Out: i c x, StepScopes: s) {sub_block: 1, is_test: true}
            fetch(x)
          block 1 parent 0
            var j: int64[1]
            var d: bool[1]
            h = scale(x) {scale: 0.5}
            j = fill_constant() {shape: [1], value: 0.0, dtype: 3}
            d = less_than(j, m)
            while(Condition: d, X: j m h) -> (Out: j d h, StepScopes: t) {sub_block: 2, is_test: true}
            z = elementwise_add(x, h)
            x = assign(z)
            i = increment(i)
            c = less_than(i, n)
          block 2 parent 1
            g = scale(h) {scale: 1.5, bias: 1.0}
            f = elementwise_mul(g, h)
            h = assign(f)
            j = increment(j)
            d = less_than(j, m)
          """;

  /**
   * In every other iteration of the outer loop h and f change places. Until the inner loop starts
   * its count is that of its run before, so h must not depend on it.
   */
  private static final String NESTED_PLAN =
      """
      0:x 1[0,16] 16 7-39 44-60
      0:x 1[16,0] 16 39-44
      1:z 1[16,0] 16 37-40
      1:h 1[32,48] 16 17-22
      1:h 1[2[32,48],2[48,32]] 16 22-29 34-38
      1:h 1[2[48,32],2[32,48]] 16 29-34
      2:g 64 16 25-28
      2:f 1[2[48,32],2[32,48]] 16 27-30
      skip 1.5 1:z 0:x
      skip 2.2 2:f 1:h
      """;

  private static ExecutionResult run(String program, long n, long m, ExecutionOptions options) {
    return Executor.run(
        ProgramText.parse(program),
        ImmutableMap.of(
            "x0",
            new LodTensor(
                floats(0.5f, -1, 2, -3), ImmutableList.of(ImmutableLongArray.of(0, 1, 4))),
            "n",
            LodTensor.of(longs(n)),
            "m",
            LodTensor.of(longs(m))),
        ImmutableMap.of(),
        options,
        SmallKernels.KERNELS);
  }

  private static ExecutionResult run(String program, long n, long m) {
    return run(program, n, m, ExecutionOptions.defaults());
  }

  private static ExecutionResult run(String program, long n, long m, MemoryPlan plan) {
    return run(program, n, m, ExecutionOptions.defaults().in(plan));
  }

  private static void assertNothingIsCopied(String program, long arenaBytes, String plan) {
    for (long n = 0; n <= 7; n++) {
      for (long m = 0; m <= 3; m++) {
        ExecutionResult expected = run(program, n, m);
        ExecutionResult actual = run(program, n, m, HandPlan.of(arenaBytes, plan));
        assertWithMessage("n = %s, m = %s", n, m)
            .that(actual.outputs())
            .isEqualTo(expected.outputs());
        assertThat(actual.bytesCopiedInLoops()).isEqualTo(0);
        assertThat(actual.operators()).isEqualTo(expected.operators());
      }
    }
  }

  @Test
  void aCarriedVariable_takesTurnsBetweenTwoRegions() {
    assertThat(run(PING_PONG, 5, 0).bytesCopiedInLoops()).isEqualTo(5 * 16);
    assertThat(run(PING_PONG, 5, 0).bytesCopied()).isEqualTo(6 * 16);
    assertNothingIsCopied(PING_PONG, 64, PING_PONG_PLAN);
  }

  @Test
  void aShiftChain_goesRound() {
    assertThat(run(CHAIN, 5, 0).bytesCopiedInLoops()).isEqualTo(5 * 32);
    assertNothingIsCopied(CHAIN, 48, CHAIN_PLAN);
  }

  @Test
  void aValueThatIsNeededOutside_isNoPartOfTheCycle() {
    assertNothingIsCopied(PING_PONG, 80, SURVIVOR_PLAN);
    assertThat(run(PING_PONG, 5, 0, HandPlan.of(80, SURVIVOR_PLAN)).bytesCopied()).isEqualTo(0);
  }

  @Test
  void aLoopInALoop_beginsAgainAtZero() {
    assertThat(run(NESTED, 5, 3).bytesCopiedInLoops()).isEqualTo(5 * 16 + 5 * 3 * 16);
    assertNothingIsCopied(NESTED, 80, NESTED_PLAN);
  }

  @Test
  void views_withoutSkippedOperators_giveTheSameBitsToo() {
    String plan = PING_PONG_PLAN.replaceAll("skip.*", "");
    ExecutionResult result = run(PING_PONG, 5, 0, HandPlan.of(64, plan));

    assertThat(result.outputs()).isEqualTo(run(PING_PONG, 5, 0).outputs());
    assertThat(result.bytesCopiedInLoops()).isEqualTo(5 * 16);
  }

  @Test
  void oneRegionTooFew_givesOtherBits() {
    // y in the place of x, which is read later; in a place of v, which is the other addend.
    assertDiffers(PING_PONG, PING_PONG_PLAN.replace("[0,16]", "[0]").replace("[16,0]", "[0]"));
    assertDiffers(
        CHAIN, CHAIN_PLAN.replaceAll("0,32,16", "0,16").replaceAll("16,0,32|32,16,0", "16,0"));
    // The second iteration writes over what is needed after the loop.
    assertDiffers(
        PING_PONG, SURVIVOR_PLAN.replace("1{0}[16,32]", "1[0,16]").replace("1[16,32]", "1[16,0]"));
  }

  @Test
  void theWrongViewBehindTheLoop_givesOtherBits() {
    assertDiffers(
        PING_PONG,
        PING_PONG_PLAN.replace(
            "0:x 1[0,16] 16 7-23 28-40", "0:x 1[0,16] 16 7-23\n0:x 1[16,0] 16 28-40"));
  }

  @Test
  void aViewThatDependsOnTheRunBefore_givesOtherBits() {
    assertDiffers(
        NESTED, NESTED_PLAN.replace("1:h 1[32,48] 16 17-22\n", "").replace("22-29", "17-29"), 2, 1);
  }

  private static void assertDiffers(String program, String plan) {
    assertDiffers(program, plan, 3, 2);
  }

  private static void assertDiffers(String program, String plan, long n, long m) {
    assertThat(run(program, n, m, HandPlan.of(80, plan)).outputs())
        .isNotEqualTo(run(program, n, m).outputs());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1:y 1[16,0] | 1:y 1[0,16] | block 1, op 3 (assign): the plan skips it, but gives 'y' 16"
            + " bytes from 0 on and 'x' 16 bytes from 16 on",
        "0:x 1[16,0] | 0:x 1[16,32] | block 1, op 3 (assign): the plan skips it, but gives 'y' 16"
            + " bytes from 0 on and 'x' 16 bytes from 32 on",
        "0:x 1[16,0] 16 23-28 | 0:x 1[16,0] 16 24-28 | block 1, op 3 (assign): the plan skips it,"
            + " but gives 'y' 16 bytes from 16 on and 'x' none",
        "skip 1.3 1:y 0:x | skip 1.3 1:z 0:x | block 1, op 3 (assign): the plan lets it be skipped"
            + " as a copy of 1:z to 0:x, which it is not",
        "skip 1.3 1:y 0:x | skip 1.0 0:x 1:y | block 1, op 0 (scale): the plan lets it be skipped"
            + " as a copy of 0:x to 1:y, which it is not",
        "skip 1.3 1:y 0:x | skip 1.9 1:y 0:x | block 1: the plan lets op 9 be skipped, which the"
            + " program does not have",
        "1:z 32 | 1:z 2[32,0] | variable 'z': the plan moves it with block 2, which no while"
            + " operator runs",
        "1:z 32 | 1:z 0[32,0] | variable 'z': the plan moves it with block 0, which no while"
            + " operator runs",
        "1:z 32 | 1:z 1[32,52] | variable 'z': the plan places it outside its arena",
        "1:z 32 | 1:z 1{52}[32] | variable 'z': the plan places it outside its arena",
      })
  void aPlanThatContradictsItself_isAnError(String part, String wrong, String message) {
    assertThat(PING_PONG_PLAN).contains(part);
    MemoryPlan plan = HandPlan.of(64, PING_PONG_PLAN.replace(part, wrong));

    assertThat(assertThrows(ProgramException.class, () -> run(PING_PONG, 3, 0, plan)))
        .hasMessageThat()
        .isEqualTo(message);
  }
}
