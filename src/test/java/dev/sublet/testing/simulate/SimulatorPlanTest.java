package dev.sublet.testing.simulate;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.Arena;
import dev.sublet.plan.Interval;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.Program;
import dev.sublet.program.VariableId;
import dev.sublet.testing.text.ProgramText;
import org.junit.jupiter.api.Test;

/** Simulated runs inside the arenas of a plan. */
final class SimulatorPlanTest {

  private static final int SCHEDULES = 20;

  /** Bytes [offset, offset + bytes) of the arena for a variable of block 0 or 1. */
  private static Allocation at(String variable, long offset, long bytes, int begin, int end) {
    String[] id = variable.split(":", 2);
    return new Allocation(
        new VariableId(Integer.parseInt(id[0]), id[1]),
        /* arena= */ 0,
        offset,
        bytes,
        ImmutableList.of(new Interval(begin, end)));
  }

  private static MemoryPlan plan(Allocation... allocations) {
    return new MemoryPlan(
        "",
        "hand",
        1,
        ImmutableList.of(new Arena("cpu", 1024, 0, 1)),
        ImmutableList.copyOf(allocations),
        ImmutableList.of(),
        ImmutableList.of());
  }

  private static boolean isRight(String text, Allocation... allocations) {
    Program program = ProgramText.parse(text);
    boolean right = true;
    for (int seed = 0; seed < SCHEDULES; seed++) {
      Simulator simulator =
          Simulator.of(Schedule.of(seed))
              .allowing(ImmutableSet.of(new InPlaceRule("relu", "X", "Out")));
      Observations expected = simulator.run(program);
      assertWithMessage("defined").that(expected.definedCount()).isGreaterThan(0);
      right &= simulator.run(program, plan(allocations)).differencesFrom(expected).isEmpty();
    }
    return right;
  }

  /** Nodes: feed 0, a 1, b 2, c 3, y 4, fetch 5. */
  private static final String CHAIN =
      """
      block 0
        feed x: fp32[4]
        a = tanh(x)
        b = tanh(a)
        c = relu(b)
        y = tanh(c)
        fetch(y)
      """;

  @Test
  void disjointBytes_areRight() {
    assertThat(
            isRight(
                CHAIN,
                at("0:x", 0, 16, 0, 12),
                at("0:a", 16, 16, 3, 6),
                at("0:b", 32, 16, 5, 8),
                at("0:c", 48, 16, 7, 10),
                at("0:y", 64, 16, 9, 12)))
        .isTrue();
  }

  @Test
  void bytesOfADeadVariable_mayBeUsedAgainInPart() {
    assertThat(
            isRight(
                CHAIN,
                at("0:a", 0, 16, 3, 6),
                at("0:b", 16, 16, 5, 8),
                at("0:c", 8, 8, 7, 10),
                at("0:y", 16, 16, 9, 12)))
        .isTrue();
  }

  @Test
  void oneByteOfALiveVariable_isTooMuch() {
    assertThat(isRight(CHAIN, at("0:x", 0, 16, 0, 12), at("0:a", 15, 16, 3, 6))).isFalse();
    assertThat(isRight(CHAIN, at("0:y", 0, 16, 9, 12), at("0:x", 15, 16, 0, 12))).isFalse();
  }

  @Test
  void anOutputOverItsInput_isRightOnlyInPlaceAndAtTheSameBytes() {
    assertThat(isRight(CHAIN, at("0:a", 0, 16, 3, 6), at("0:b", 0, 16, 5, 8))).isFalse();
    assertThat(isRight(CHAIN, at("0:b", 0, 16, 5, 7), at("0:c", 0, 16, 7, 10))).isTrue();
    assertThat(isRight(CHAIN, at("0:b", 0, 16, 5, 7), at("0:c", 4, 16, 7, 10))).isFalse();
    assertThat(isRight(CHAIN, at("0:b", 0, 16, 5, 7), at("0:c", 0, 20, 7, 10))).isFalse();
  }

  @Test
  void aVariableWithoutBytesWhereItIsUsed_isWrong() {
    assertThat(isRight(CHAIN, at("0:a", 0, 16, 3, 4))).isFalse();
    assertThat(isRight(CHAIN, at("0:a", 0, 16, 4, 6))).isFalse();
    assertThat(isRight(CHAIN, at("0:y", 0, 16, 9, 11))).isFalse();
  }

  @Test
  void aDeadOutput_stillTakesItsBytes() {
    String original =
        """
        block 0
          feed x: fp32[4]
          a = tanh(x)
          (Y: y, Mean: m) = norm(a)
          fetch(y)
        """;

    assertThat(isRight(original, at("0:y", 0, 16, 5, 8), at("0:m", 16, 16, 5, 6))).isTrue();
    assertThat(isRight(original, at("0:y", 0, 16, 5, 8), at("0:m", 8, 16, 5, 6))).isFalse();
    assertThat(isRight(original, at("0:x", 0, 16, 0, 8), at("0:m", 8, 16, 5, 6))).isFalse();
  }

  @Test
  void aVariableWithoutSize_cannotBeDamaged() {
    assertThat(isRight(CHAIN, at("0:a", 0, 0, 3, 6), at("0:b", 0, 16, 5, 8))).isTrue();
  }

  /** Nodes: feeds 0 1, i 2, h 3, c 4, head 5, a 6, h 7, i 8, c 9, exit 10, y 11, fetch 12. */
  private static final String LOOP =
      """
      block 0
        feed x: fp32[4]
        feed n: int64[1]
        i = fill_constant()
        h = tanh(x)
        c = less_than(i, n)
        while(Condition: c, X: i n h) -> (Out: i c h, StepScopes: s) {sub_block: 1, is_test: true}
        y = tanh(h)
        fetch(y)
      block 1 parent 0
        a = tanh(h)
        h = tanh(a)
        i = increment(i)
        c = less_than(i, n)
      """;

  @Test
  void aVariableThatCrossesTheBackEdge_keepsItsBytesThroughTheLoop() {
    assertThat(
            isRight(
                LOOP,
                at("0:h", 0, 16, 7, 24),
                at("1:a", 16, 16, 13, 16),
                at("0:y", 16, 16, 23, 26)))
        .isTrue();
    assertThat(isRight(LOOP, at("0:i", 0, 8, 5, 21), at("1:a", 0, 16, 13, 16))).isFalse();
    assertThat(isRight(LOOP, at("0:c", 0, 8, 9, 21), at("1:a", 0, 16, 13, 16))).isTrue();
  }

  /** Two webs of t: one before and one after the loop; each has its own bytes. */
  @Test
  void eachWebOfAVariable_hasItsOwnBytes() {
    String original =
        """
        block 0
          feed x: fp32[4]
          t = tanh(x)
          u = tanh(t)
          t = tanh(u)
          y = tanh(t)
          fetch(y)
        """;

    assertThat(isRight(original, at("0:t", 0, 16, 3, 6), at("0:t", 64, 16, 7, 10))).isTrue();
    assertThat(isRight(original, at("0:t", 0, 16, 3, 6), at("0:t", 64, 16, 8, 10))).isFalse();
  }

  @Test
  void localsOfABranchInATrainingLoop_haveOneCopyForEachIteration() {
    // Nodes: i 0, c 1, head 2, d 3, head 4, a 5, b 6, h 7, exit 8, i 9, c 10, exit 11, h@GRAD 12,
    // x@GRAD 13, head 14, x@GRAD 15, head 16, gradient 17, exit 18, exit 19, fetch 20.
    String original =
        """
        block 0
          var x: fp32[4] check_feed
          i = fill_constant()
          c = less_than(i, x)
          while(Condition: c, X: x i h) -> (Out: i c h, StepScopes: s) {sub_block: 1}
          h@GRAD = fill_constant()
          x@GRAD = fill_constant()
          while_grad(X: x i h, Out: h, Out@GRAD: h@GRAD, StepScopes: s) \
        -> (X@GRAD: x@GRAD @EMPTY@ @EMPTY@) \
        {sub_block: 3, original_output_grad: ["h@GRAD"]}
          fetch(x@GRAD)
        block 1 parent 0
          d = less_than(i, x)
          conditional_block(Cond: d, Input: i) -> (Out: h, Scope: s2) {sub_block: 2}
          i = increment(i)
          c = less_than(i, x)
        block 2 parent 1
          a = tanh(i)
          b = tanh(a)
          h = tanh(b)
        block 3 parent 0 forward 1
          var h@GRAD: fp32[4]
          var x@GRAD: fp32[4]
          x@GRAD = fill_constant()
          conditional_block_grad(Cond: d, Input: i, Scope: s2) -> () {sub_block: 4}
        block 4 parent 3 forward 2
          x@GRAD = tanh_grad(a, Y: h@GRAD)
        """;

    assertThat(isRight(original, at("2:b", 0, 16, 13, 16))).isTrue();
    assertThat(isRight(original, at("2:a", 0, 16, 11, 42))).isFalse();
  }
}
