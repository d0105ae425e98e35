package dev.sublet.testing.simulate;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.common.collect.ImmutableSet;
import dev.sublet.program.Program;
import dev.sublet.testing.text.ProgramText;
import org.junit.jupiter.api.Test;

final class SimulatorTest {

  private static final ImmutableSet<InPlaceRule> RELU =
      ImmutableSet.of(
          new InPlaceRule("relu", "X", "Out"), new InPlaceRule("elementwise_add", "X", "Out"));

  private static final int SCHEDULES = 20;

  /** The text with one variable named like another. */
  static String renamed(String text, String from, String to) {
    return text.replaceAll("\\b" + from + "\\b(?![:@])", to);
  }

  /** Two programs are told apart if some schedule shows a difference. */
  private static boolean isRight(Simulator simulator, String original, String rewritten) {
    Program before = ProgramText.parse(original);
    Observations expected = simulator.run(before);
    assertWithMessage("nothing to see").that(expected.values()).isNotEmpty();
    return simulator.run(ProgramText.parse(rewritten), before).differencesFrom(expected).isEmpty();
  }

  private static void assertRight(String original, String rewritten) {
    for (int seed = 0; seed < SCHEDULES; seed++) {
      Simulator simulator = Simulator.of(Schedule.of(seed)).allowing(RELU);
      assertWithMessage("seed %s", seed).that(isRight(simulator, original, rewritten)).isTrue();
    }
  }

  private static void assertWrong(String original, String rewritten) {
    boolean right = true;
    for (int seed = 0; seed < SCHEDULES; seed++) {
      right &= isRight(Simulator.of(Schedule.of(seed)).allowing(RELU), original, rewritten);
    }
    assertThat(right).isFalse();
  }

  private static final String CHAIN =
      """
      block 0
        feed x: fp32[4]
        a = tanh(x)
        b = tanh(a)
        c = tanh(b)
        fetch(c)
      """;

  @Test
  void exchanging_operators_isRightUnlessOneReadsTheOther() {
    String program =
        """
        block 0
          feed x: fp32[4]
          a = tanh(x)
          b = relu(x)
          c = sigmoid(b)
          fetch(a)
          fetch(c)
        """;
    String first = "  a = tanh(x)\n";
    String second = "  b = relu(x)\n";
    String third = "  c = sigmoid(b)\n";
    assertRight(program, program.replace(first + second + third, second + third + first));
    assertWrong(program, program.replace(second + third, third + second));

    String twoScales =
        program.replace(first, "  a = scale(x) {scale: 2.0}\n  b = scale(x) {scale: 3.0}\n");
    assertRight(
        twoScales.replace(second, ""),
        twoScales.replace(second, "").replaceFirst("(  a = scale.*\n)(  b = scale.*\n)", "$2$1"));
  }

  /** Nothing but their names tells them apart. */
  @Test
  void exchanging_operatorsOfOneForm_isRightUnlessOneReadsTheOther() {
    String program =
        """
        block 0
          feed x: fp32[4]
          feed y: fp32[4]
          a = tanh(x)
          b = tanh(y)
          c = tanh(b)
          fetch(a)
          fetch(c)
        """;
    String first = "  a = tanh(x)\n";
    String second = "  b = tanh(y)\n";
    String third = "  c = tanh(b)\n";
    assertRight(program, program.replace(first + second, second + first));
    assertWrong(program, program.replace(second + third, third + second));
  }

  /** Neither their order nor their names tell which is which. */
  @Test
  void exchanging_operatorsOfOneForm_isRightWithOtherNames() {
    String program =
        """
        block 0
          feed x: fp32[4]
          feed y: fp32[4]
          a = tanh(x)
          b = tanh(y)
          c = sigmoid(b)
          d = sigmoid(c)
          e = elementwise_add(d, a)
          fetch(e)
        """;
    String first = "  a = tanh(x)\n";
    String second = "  b = tanh(y)\n";
    String moved = program.replace(first + second, second + first);

    assertRight(program, renamed(moved, "d", "b"));
    assertRight(program, renamed(moved, "b", "e"));
    assertWrong(program, renamed(moved, "d", "a"));
    assertWrong(program, renamed(moved, "c", "a"));
  }

  @Test
  void exchanging_operatorsOfOneForm_isRightWithOtherNamesInALoop() {
    String program =
        """
        block 0
          feed x: fp32[4]
          feed y: fp32[4]
          feed go: bool[1]
          while(Condition: go, X: x y) -> (Out: x y go, StepScopes: s) {sub_block: 1}
          fetch(x)
          fetch(y)
        block 1 parent 0
          var a: fp32[4]
          var b: fp32[4]
          var c: fp32[4]
          var next: bool[1]
          a = tanh(x)
          b = tanh(y)
          x = sigmoid(b)
          c = sigmoid(a)
          y = assign(c)
          next = less_than(x, y)
          go = assign(next)
        """;
    String first = "  a = tanh(x)\n";
    String second = "  b = tanh(y)\n";
    String moved = program.replace(first + second, second + first);
    String renamed =
        moved.replace("next = less_than(x, y)\n  go = assign(next)", "go = less_than(x, y)");

    assertRight(program, renamed);
    assertRight(program, renamed.replace("c = sigmoid(a)\n  y = assign(c)", "y = sigmoid(a)"));
    assertWrong(program, renamed.replace("sigmoid(a)", "sigmoid(b)"));
    assertWrong(program, renamed.replace("b = tanh(y)", "b = tanh(x)"));
  }

  @Test
  void sharing_aDeadVariable_isRight() {
    assertRight(CHAIN, renamed(CHAIN, "a", "c"));
  }

  @Test
  void sharing_aFeed_isWrongUnlessFeedsAreReused() {
    String rewritten = renamed(CHAIN, "b", "x");

    assertWrong(CHAIN, rewritten);
    assertThat(isRight(Simulator.of(Schedule.of(1)).reusingFeeds(), CHAIN, rewritten)).isTrue();
  }

  @Test
  void sharing_inputAndOutput_isRightOnlyForALegalPair() {
    assertWrong(CHAIN, renamed(CHAIN, "b", "a"));
    String relu = CHAIN.replace("tanh", "relu");
    assertRight(relu, renamed(relu, "b", "a"));
  }

  @Test
  void sharing_anInputThatIsReadTwice_isWrong() {
    String original =
        """
        block 0
          feed x: fp32[4]
          a = relu(x)
          b = elementwise_add(a, a)
          fetch(b)
        """;

    assertWrong(original, renamed(original, "b", "a"));
  }

  @Test
  void sharing_aLiveVariable_isWrong() {
    String original =
        """
        block 0
          feed x: fp32[4]
          a = relu(x)
          b = tanh(x)
          c = elementwise_add(a, b)
          fetch(c)
        """;

    assertWrong(original, renamed(original, "b", "a"));
  }

  @Test
  void sharing_twoOutputsOfOneOperator_isWrong() {
    String original =
        """
        block 0
          feed x: fp32[4]
          (Y: y, Mean: m) = norm(x)
          fetch(y)
        """;

    assertWrong(original, original.replace("Mean: m", "Mean: y"));
  }

  @Test
  void anObservedVariable_mustHoldItsValueAtTheEnd() {
    String original =
        """
        block 0
          feed x: fp32[4]
          a = tanh(x)
          fetch(a)
          b = tanh(x)
          c = tanh(b)
          fetch(c)
        """;
    String target = original.replace("fetch(a)", "d = tanh(a) target");

    assertWrong(original, renamed(original, "b", "a"));
    assertRight(target, renamed(target, "b", "a"));
    assertWrong(target, renamed(target, "b", "d"));
  }

  @Test
  void aKeptVariable_isObserved() {
    Simulator simulator = Simulator.of(Schedule.of(3));
    String rewritten = renamed(CHAIN, "a", "c");

    assertThat(isRight(simulator, CHAIN, rewritten)).isTrue();
    assertThat(isRight(simulator.keeping(ImmutableSet.of("a")), CHAIN, rewritten)).isFalse();
  }

  @Test
  void droppingAnAssign_isRightIfItsVariablesAreOne() {
    String original =
        """
        block 0
          feed x: fp32[4]
          a = tanh(x)
          b = assign(a)
          c = tanh(b)
          fetch(c)
        """;

    assertRight(original, original.replace("b = assign(a)", "").replace("(b)", "(a)"));
    assertWrong(original, original.replace("b = assign(a)", "").replace("(b)", "(x)"));
  }

  @Test
  void deleting_isRightBehindTheLastUse() {
    assertRight(CHAIN, CHAIN.replace("c = ", "delete_var(a)\n c = "));
    assertWrong(CHAIN, CHAIN.replace("c = ", "delete_var(b)\n c = "));
  }

  @Test
  void anUndefinedValue_mayBecomeAnything() {
    String original =
        """
        block 0
          var u: fp32[1]
          feed x: fp32[1]
          t = tanh(x)
          c = less_than(t, x)
          conditional_block(Cond: c) -> (Out: u, Scope: s) {sub_block: 1}
          a = tanh(u)
          fetch(a)
        block 1 parent 0
          u = tanh(x)
        """;
    Program program = ProgramText.parse(original);
    // Where the branch is not taken, u is whatever another variable has left there.
    Program rewritten = ProgramText.parse(renamed(original, "t", "u"));
    boolean right = true;
    int defined = 0;
    for (int seed = 0; seed < SCHEDULES; seed++) {
      Simulator simulator = Simulator.of(Schedule.of(seed));
      Observations observations = simulator.run(program);
      defined += observations.values().get("fetch 0:5").get(0) == Values.UNDEFINED ? 0 : 1;
      right &= simulator.run(rewritten, program).differencesFrom(observations).isEmpty();
    }

    assertThat(defined).isGreaterThan(0);
    assertThat(defined).isLessThan(SCHEDULES);
    assertThat(right).isTrue();
  }

  @Test
  void undefinedControl_isReported() {
    Program program =
        ProgramText.parse(
            """
            block 0
              feed c: bool[1]
              conditional_block(Cond: c) -> (Scope: s) {sub_block: 1}
            block 1 parent 0
              var u: bool[1]
              conditional_block(Cond: u) -> (Scope: s2) {sub_block: 2}
            block 2 parent 1
            """);
    int undefined = 0;
    for (int seed = 0; seed < SCHEDULES; seed++) {
      undefined += Simulator.of(Schedule.of(seed)).run(program).undefinedControl() ? 1 : 0;
    }

    assertThat(undefined).isGreaterThan(0);
    assertThat(undefined).isLessThan(SCHEDULES);
  }

  @Test
  void anOperatorWithPartialEffects_sometimesKeepsTheOldValue() {
    String original =
        """
        block 0
          feed x: fp32[4]
          a = tanh(x)
          b = tanh(x)
          a = mystery_maybe(b)
          fetch(a)
        """;

    assertWrong(original, original.replace("a = mystery", "d = mystery").replace("(a)", "(d)"));
  }

  @Test
  void writingToAnArray_dependsOnWhatItHolds() {
    String original =
        """
        block 0
          feed x: fp32[4]
          feed i: int64[1]
          var a: array fp32[4]
          a = write_to_array(x, I: i)
          y = tanh(x)
          a = write_to_array(y, I: i)
          z = read_from_array(a, I: i)
          fetch(z)
        """;
    String rewritten =
        original
            .replace("var a:", "var b: array fp32[4]\n  var a:")
            .replaceFirst("a = write", "b = write");

    assertWrong(original, rewritten);
  }

  @Test
  void differentOperators_areRefused() {
    IllegalArgumentException exception =
        assertThrows(
            IllegalArgumentException.class,
            () -> isRight(Simulator.of(Schedule.of(1)), CHAIN, CHAIN.replace("b = t", "b = c")));

    assertThat(exception).hasMessageThat().contains("is not in the original");
  }
}
