package dev.sublet.testing.simulate;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;
import static dev.sublet.testing.simulate.SimulatorTest.renamed;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.common.collect.ImmutableSet;
import dev.sublet.program.Program;
import dev.sublet.testing.text.ProgramText;
import org.junit.jupiter.api.Test;

/** Simulated loops, branches and gradients. */
final class SimulatorControlTest {

  private static final int SCHEDULES = 40;

  private static boolean isRight(String original, String rewritten) {
    Program before = ProgramText.parse(original);
    Program after = ProgramText.parse(rewritten);
    boolean right = true;
    int defined = 0;
    for (int seed = 0; seed < SCHEDULES; seed++) {
      Simulator simulator = Simulator.of(Schedule.of(seed));
      Observations expected = simulator.run(before);
      assertThat(expected.undefinedControl()).isFalse();
      defined += expected.definedCount();
      right &= simulator.run(after, before).differencesFrom(expected).isEmpty();
    }
    assertWithMessage("defined observations").that(defined).isGreaterThan(SCHEDULES);
    return right;
  }

  private static final String LOOP =
      """
      block 0
        feed x: fp32[4]
        feed n: int64[1]
        i = fill_constant()
        h = tanh(x)
        c = less_than(i, n)
        while(Condition: c, X: i n h x) -> (Out: i c h, StepScopes: s) {sub_block: 1, is_test: true}
        y = tanh(h)
        fetch(y)
      block 1 parent 0
        a = elementwise_add(h, x)
        b = tanh(a)
        h = tanh(b)
        i = increment(i)
        c = less_than(i, n)
      """;

  @Test
  void aLoopRunsAsOftenAsTheScheduleSays() {
    Program program = ProgramText.parse(LOOP);
    for (int trips = 0; trips < 4; trips++) {
      Observations seen = Simulator.of(Schedule.of(7).withTrips(trips)).run(program);
      assertThat(seen.values().get("condition 0:5")).hasSize(trips + 1);
      assertThat(ImmutableSet.copyOf(seen.values().get("condition 0:5"))).hasSize(trips + 1);
    }
  }

  @Test
  void sharing_aVariableThatCrossesTheBackEdge_isWrong() {
    // x is read again in the next iteration; within the body it looks dead behind its last use.
    assertThat(isRight(LOOP, renamed(LOOP, "b", "x"))).isFalse();
    assertThat(isRight(LOOP, renamed(LOOP, "i", "y"))).isTrue();
  }

  @Test
  void sharing_theConditionInsideTheLoop_isWrong() {
    String original = LOOP + "  d = tanh(x)\n";

    assertThat(isRight(original, renamed(original, "d", "c"))).isFalse();
    assertThat(isRight(original, renamed(original, "d", "b"))).isTrue();
  }

  @Test
  void aLocalOfATestLoop_keepsItsValueForTheNextIteration() {
    String original =
        """
        block 0
          feed x: fp32[4]
          feed n: int64[1]
          i = fill_constant()
          h = tanh(x)
          c = less_than(i, n)
          while(Condition: c, X: i n h x) -> (Out: i c h, StepScopes: s) {sub_block: 1, is_test: true}
          fetch(h)
        block 1 parent 0
          t = greater_than(i, x)
          conditional_block(Cond: t, Input: x) -> (Out: carried, Scope: s2) {sub_block: 2}
          h = tanh(carried)
          local = tanh(x)
          p = tanh(local)
          i = increment(i)
          c = less_than(i, n)
        block 2 parent 1
          carried = tanh(i)
        """;

    assertThat(isRight(original, renamed(original, "local", "carried"))).isFalse();
    assertThat(isRight(original, renamed(original, "p", "t"))).isTrue();
  }

  private static final String BRANCHES =
      """
      block 0
        feed x: fp32[4]
        feed n: int64[1]
        c = less_than(x, n)
        m = cast(c)
        k = logical_not(c)
        t = fill_constant()
        f = fill_constant()
        conditional_block(Cond: c, Input: x) -> (Out: t, Scope: s) {sub_block: 1}
        conditional_block(Cond: k, Input: x) -> (Out: f, Scope: s2) {sub_block: 2}
        y = select_input(f t, Mask: m)
        fetch(y)
      block 1 parent 0
        t = tanh(x)
      block 2 parent 0
        f = relu(x)
      """;

  @Test
  void exclusiveBranches_mayShareTheirResults() {
    assertThat(isRight(BRANCHES, renamed(BRANCHES, "f", "t"))).isTrue();
    assertThat(isRight(BRANCHES, BRANCHES.replace("f t,", "t f,"))).isFalse();
  }

  @Test
  void aBranchThatIsNotTaken_keepsTheOldValue() {
    String original =
        """
        block 0
          feed x: fp32[4]
          c = less_than(x, x)
          t = tanh(x)
          u = relu(x)
          conditional_block(Cond: c, Input: x u) -> (Out: t, Scope: s) {sub_block: 1}
          y = tanh(t)
          fetch(y)
        block 1 parent 0
          t = tanh(u)
        """;

    assertThat(isRight(original, renamed(original, "u", "t"))).isFalse();
    assertThat(isRight(original, renamed(original, "u", "y"))).isTrue();
  }

  private static final String TRAINING =
      """
      block 0
        feed x: fp32[4]
        feed n: int64[1]
        var w: fp32[4] persistable
        i = fill_constant()
        h = tanh(x)
        e = relu(x)
        c = less_than(i, n)
        while(Condition: c, X: i n h x w e) -> (Out: i c h e, StepScopes: s) {sub_block: 1}
        h@GRAD = fill_constant()
        w@GRAD = fill_constant()
        e@GRAD = fill_constant()
        while_grad(X: i n h x w e, Out: h, Out@GRAD: h@GRAD, StepScopes: s) \
      -> (X@GRAD: @EMPTY@ @EMPTY@ @EMPTY@ @EMPTY@ w@GRAD e@GRAD) \
      {sub_block: 2, original_output_grad: ["h@GRAD"]}
        (ParamOut: w) = sgd(Param: w, Grad: w@GRAD, E: e@GRAD)
        fetch(h)
      block 1 parent 0
        a = elementwise_add(e, w)
        b = tanh(x)
        d = tanh(b)
        g = tanh(a)
        e = relu(g)
        h = elementwise_add(h, x)
        i = increment(i)
        c = less_than(i, n)
      block 2 parent 0 forward 1
        var h@GRAD: fp32[4]
        var w@GRAD: fp32[4]
        var e@GRAD: fp32[4]
        q = tanh_grad(a, Out@GRAD: h@GRAD)
        w@GRAD = elementwise_add_grad(q, Y: w)
        e@GRAD = relu_grad(e, Y: q)
      """;

  @Test
  void aLocalThatTheGradientReads_livesUntilThen() {
    assertThat(isRight(TRAINING, renamed(TRAINING, "d", "a"))).isFalse();
    // b and g are not the gradient's business, and each iteration has its own a.
    assertThat(isRight(TRAINING, renamed(TRAINING, "g", "b"))).isTrue();
  }

  @Test
  void theGradientSeesTheSnapshotOfEachIteration() {
    Program program = ProgramText.parse(TRAINING);
    // As soon as the body updates e in place, the gradient sees its last value instead.
    String updating = TRAINING.replace("d = tanh(b)", "e = relu(e)\n  d = tanh(b)");
    Program updated = ProgramText.parse(updating);
    Simulator simulator = Simulator.of(Schedule.of(11).withTrips(3));

    assertThat(simulator.run(program).values().get("end 0:w").get(0))
        .isNotEqualTo(simulator.run(updated).values().get("end 0:w").get(0));
    assertThat(isRight(TRAINING, TRAINING)).isTrue();
    assertThat(isRight(updating, updating)).isTrue();
  }

  @Test
  void conditionalGradients_runInTheKeptScopeIfTheBranchWasTaken() {
    String original =
        """
        block 0
          feed x: fp32[4]
          c = less_than(x, x)
          h = tanh(x)
          conditional_block(Cond: c, Input: x h) -> (Out: h, Scope: s) {sub_block: 1}
          h@GRAD = fill_constant()
          x@GRAD = fill_constant()
          conditional_block_grad(Cond: c, Input: x h, Out@GRAD: h@GRAD, Scope: s) -> (Input@GRAD: x@GRAD) {sub_block: 2}
          fetch(x@GRAD)
        block 1 parent 0
          a = tanh(x)
          b = tanh(a)
          h = relu(b)
        block 2 parent 0 forward 1
          var x@GRAD: fp32[4]
          x@GRAD = tanh_grad(a, Y: h@GRAD)
        """;
    Program program = ProgramText.parse(original);
    ImmutableSet.Builder<Long> gradients = ImmutableSet.builder();
    for (int seed = 0; seed < SCHEDULES; seed++) {
      Schedule schedule = new Schedule(seed, Schedule.of(0).trips());
      gradients.addAll(Simulator.of(schedule).run(program).values().get("fetch 0:7"));
    }

    assertThat(gradients.build().size()).isGreaterThan(SCHEDULES / 2);
    String late = original.replace("h = relu(b)", "d = tanh(b)\n  h = relu(d)");
    assertThat(isRight(late, renamed(late, "d", "a"))).isFalse();
  }

  @Test
  void recurrent_linksInputsStatesAndOutputsByName() {
    String original =
        """
        block 0
          feed x: fp32[4]
          var w: fp32[4] persistable
          var o: fp32[4]
          h0 = tanh(x)
          recurrent(inputs: x, initial_states: h0, parameters: w) -> (outputs: o, step_scopes: s) {sub_block: 1, ex_states: ["pre"], states: ["h"]}
          y = tanh(o)
          fetch(y)
        block 1 parent 0
          var x: fp32[4]
          var pre: fp32[4]
          var o: fp32[4]
          h = elementwise_add(x, pre)
          t = tanh(h)
          o = relu(w, t)
        """;

    assertThat(isRight(original, renamed(original, "t", "h"))).isFalse();
    assertThat(isRight(original, renamed(original, "t", "pre"))).isTrue();
  }

  @Test
  void anOperatorThatIsNotKnown_mayRunItsBlocks() {
    String original =
        """
        block 0
          feed x: fp32[4]
          h = tanh(x)
          mystery_runner(X: h) -> (Out: h) {sub_block: 1}
          y = tanh(h)
          fetch(y)
        block 1 parent 0
          a = tanh(x)
          x = relu(a)
        """;

    assertThat(isRight(original, renamed(original, "a", "h"))).isFalse();
    assertThat(isRight(original, renamed(original, "a", "y"))).isTrue();
  }

  @Test
  void recurrentGradients_areRefused() {
    Program program =
        ProgramText.parse(
            "block 0",
            "recurrent() -> (step_scopes: s) {sub_block: 1}",
            "recurrent_grad() -> () {sub_block: 2}",
            "block 1 parent 0",
            "block 2 parent 0 forward 1");

    assertThrows(IllegalArgumentException.class, () -> Simulator.of(Schedule.of(0)).run(program));
  }
}
