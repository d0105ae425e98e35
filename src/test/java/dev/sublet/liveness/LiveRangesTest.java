package dev.sublet.liveness;

import static com.google.common.truth.Truth.assertThat;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableSet;
import dev.sublet.TranspileOptions;
import dev.sublet.Transpiler;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;
import dev.sublet.testing.text.ProgramText;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Live ranges as tables: a program, and for each variable its webs, each a list of intervals of
 * program points. Node k reads at 2k and writes at 2k+1; an input is occupied through the write.
 */
final class LiveRangesTest {

  private static List<String> webs(Program program, String name, String... keep) {
    Liveness liveness = analyze(program, keep);
    List<String> webs = new ArrayList<>();
    for (Variable variable : program.variables()) {
      if (variable.name().equals(name)) {
        for (int web = liveness.ranges().firstWeb(variable.index());
            web < liveness.ranges().endWeb(variable.index());
            web++) {
          StringBuilder text = new StringBuilder();
          for (Object interval : liveness.ranges().intervals(web)) {
            text.append(interval);
          }
          webs.add(text.toString());
        }
      }
    }
    return webs;
  }

  private static Liveness analyze(Program program, String... keep) {
    return Liveness.analyze(
        ControlFlowGraph.build(program, OperatorCatalog.standard()),
        new ObservationOptions(ImmutableSet.of(), ImmutableSet.copyOf(keep), false),
        new DiagnosticLog());
  }

  @Test
  void chain_eachIsLiveFromItsWriteThroughItsLastRead() {
    Program program =
        ProgramText.parse(
            """
            block 0
              feed x: fp32[4]
              a = relu(x)
              b = relu(a)
              c = elementwise_add(b, a)
              fetch(c)
            """);
    assertThat(webs(program, "x")).containsExactly("[0, 10)");
    assertThat(webs(program, "a")).containsExactly("[3, 8)");
    assertThat(webs(program, "b")).containsExactly("[5, 8)");
    assertThat(webs(program, "c")).containsExactly("[7, 10)");
  }

  @Test
  void nameWrittenThreeTimes_isThreeWebs() {
    Program program =
        ProgramText.parse(
            """
            block 0
              feed x: fp32[4]
              t = relu(x)
              a = relu(t)
              t = tanh(a)
              b = relu(t)
              t = exp(b)
              c = relu(t)
              fetch(c)
            """);
    assertThat(webs(program, "t")).containsExactly("[3, 6)", "[7, 10)", "[11, 14)").inOrder();
  }

  @Test
  void deadOutput_occupiesItsWritePoint() {
    Program program =
        ProgramText.parse(
            """
            block 0
              feed x: fp32[4]
              dead = relu(x)
              c = relu(x)
              fetch(c)
            """);
    assertThat(webs(program, "dead")).containsExactly("[3, 4)");
  }

  @Test
  void unknownOperator_mayWrite_butAFirstWriteStillBeginsTheRange() {
    Program program =
        ProgramText.parse(
            """
            block 0
              feed x: fp32[4]
              t = mystery(x)
              a = relu(t)
              t = mystery(a)
              b = relu(t)
              fetch(b)
            """);
    // The second write may leave the first value: one web, from the first write on.
    assertThat(webs(program, "t")).containsExactly("[3, 10)");
  }

  @Test
  void keptVariable_isLiveToTheEnd() {
    Program program =
        ProgramText.parse(
            """
            block 0
              feed x: fp32[4]
              a = relu(x)
              b = relu(a)
              fetch(b)
            """);
    assertThat(webs(program, "a")).containsExactly("[3, 6)");
    assertThat(webs(program, "a", "a")).containsExactly("[3, 8)");
  }

  private static final Program LOOP =
      ProgramText.parse(
          """
          block 0
            feed n: int64[1]
            var scopes: step_scopes
            var c: bool[1]
            i = fill_constant()
            s = fill_constant()
            once = fill_constant()
            c = less_than(i, n)
            while(Condition: c, X: i n s once) -> (Out: c i s, StepScopes: scopes) {sub_block: 1, is_test: true}
            r = relu(s)
            fetch(r)
          block 1 parent 0
            var t: fp32[1]
            t = relu(s)
            s = tanh(t)
            last = relu(carried)
            carried = relu(once)
            i = increment(i)
            c = less_than(i, n)
          """
              .replace("var t: fp32[1]", "var t: fp32[1]\n  var carried: fp32[1]"));

  @Test
  void loop_backEdgeKeepsWhatTheNextIterationReads() {
    // Nodes: feed 0, i 1, s 2, once 3, c 4, head 5, body 6..11, exit 12, r 13, fetch 14.
    // At the exit the loop may write what nobody reads any more: a web of its own.
    assertThat(webs(LOOP, "i")).containsExactly("[3, 24)", "[25, 26)").inOrder();
    assertThat(webs(LOOP, "once")).containsExactly("[7, 24)");
    // Between its last read in the body and its write there is a hole.
    assertThat(webs(LOOP, "s")).containsExactly("[5, 14)[15, 28)");
    assertThat(webs(LOOP, "t")).containsExactly("[13, 16)");
  }

  @Test
  void loop_localReadBeforeItsWrite_crossesTheBackEdge() {
    assertThat(webs(LOOP, "carried")).containsExactly("[10, 18)[19, 24)");
  }

  /** A loop that carries x, unrolled twice: x goes to y in one copy and back in the other. */
  private static final String TWO_COPIES =
      """
      block 0
        feed n: int64[1]
        var scopes: step_scopes
        var scope: step_scopes
        var c: bool[1]
        var y: fp32[1]
        i = fill_constant()
        x = fill_constant()
        c = less_than(i, n)
        while(Condition: c, X: i n x) -> (Out: c i x, StepScopes: scopes) {sub_block: 1, is_test: true}
        fetch(LAST)
      block 1 parent 0
        t = relu(x)
        y = tanh(t)
        i = increment(i)
        c = less_than(i, n)
        conditional_block(Cond: c, Input: i n y) -> (Out: c i x, Scope: scope) {sub_block: 2, is_scalar_condition: true}
      block 2 parent 1
        u = relu(y)
        x = tanh(u)
        i = increment(i)
        c = less_than(i, n)
      """;

  @Test
  void skippedCopy_endsTheLoop() {
    // Nodes: feed 0, i 1, x 2, c 3, head 4, t 5, y 6, i 7, c 8, branch 9, u 10, x 11, i 12, c 13,
    // exits 14 and 15, fetch 16.
    Program program = ProgramText.parse(TWO_COPIES.replace("LAST", "i"));
    assertThat(webs(program, "x")).containsExactly("[5, 12)[23, 30)", "[31, 32)").inOrder();
    assertThat(webs(program, "y")).containsExactly("[13, 22)");
    // The loop looks at c once more, whichever copy was the last one.
    assertThat(webs(program, "c")).containsExactly("[7, 10)[17, 20)[27, 32)");
  }

  @Test
  void skippedCopy_leavesWhatIsNeededBehindTheLoop() {
    Program x = ProgramText.parse(TWO_COPIES.replace("LAST", "x"));
    // In the second copy x is written before anybody can need its old value.
    assertThat(webs(x, "x")).containsExactly("[5, 20)[23, 34)");
    Program y = ProgramText.parse(TWO_COPIES.replace("LAST", "y"));
    // y may be undefined at the loop's head, but what it holds there may be fetched.
    assertThat(webs(y, "y")).containsExactly("[8, 10)[13, 34)");
  }

  @Test
  void conditionalThatDoesNotEndTheLoop_keepsValuesForTheNextIteration() {
    String program = TWO_COPIES.replace("LAST", "i");
    for (String other :
        List.of(
            program.replace("Cond: c,", "Cond: d,").replace("var c", "var d: bool[1]\n  var c"),
            program.replace("Cond: c,", "Cond: c d,").replace("var c", "var d: bool[1]\n  var c"),
            program.replace("is_scalar_condition: true", "is_scalar_condition: false"),
            program.replace("block 2", "  v = relu(y)\nblock 2"),
            program.replace("t = relu(x)", "var c: bool[1]\n  t = relu(x)"))) {
      assertThat(webs(ProgramText.parse(other), "x").get(0)).startsWith("[5, 20)[23, ");
    }
  }

  private static final String SUCCESSIVE_BRANCHES =
      """
      block 0
        feed x: fp32[4]
        var s0: step_scopes
        var s1: step_scopes
        a = relu(x)
        b = relu(x)
        c = less_than(x, x)
        n = logical_not(c)
        conditional_block(Cond: c, Input: a b) -> (Out: t, Scope: s0) {sub_block: 1, is_scalar_condition: true}
        conditional_block(Cond: n, Input: a b) -> (Out: f, Scope: s1) {sub_block: 2, is_scalar_condition: true}
        m = cast(c)
        y = select_input(X: f t, Mask: m)
        fetch(y)
      block 1 parent 0
        u = relu(a)
        t = relu(u)
      block 2 parent 0
        v = elementwise_add(a, b)
        f = relu(v)
      """;

  /** The webs for offsets: of two successive branches, only one keeps values for itself. */
  private static List<String> websForOffsets(String text, String name) {
    Program program = ProgramText.parse(text);
    LiveRanges ranges = analyze(program).forOffsets(variable -> true).ranges();
    int variable = program.declared(0, name);
    List<String> webs = new ArrayList<>();
    for (int web = ranges.firstWeb(variable); web < ranges.endWeb(variable); web++) {
      webs.add(Joiner.on("").join(ranges.intervals(web)));
    }
    return webs;
  }

  @Test
  void successiveBranches_keepWhatTheyReadThemselves() {
    // Nodes: feed 0, a 1, b 2, c 3, n 4, head 5, u 6, t 7, exit 8, head 9, v 10, f 11, exit 12,
    // cast 13, select 14, fetch 15.
    assertThat(websForOffsets(SUCCESSIVE_BRANCHES, "a")).containsExactly("[3, 14)[18, 22)");
    assertThat(websForOffsets(SUCCESSIVE_BRANCHES, "b")).containsExactly("[5, 12)[18, 22)");
    assertThat(websForOffsets(SUCCESSIVE_BRANCHES, "n")).containsExactly("[9, 20)");
    assertThat(websForOffsets(SUCCESSIVE_BRANCHES, "t")).containsExactly("[15, 18)[24, 30)");
    assertThat(websForOffsets(SUCCESSIVE_BRANCHES, "f")).containsExactly("[23, 30)");
  }

  @Test
  void successiveBranches_keepWhatIsReadAfterThem() {
    String later = SUCCESSIVE_BRANCHES.replace("fetch(y)", "w = relu(a)\n  fetch(w)");
    assertThat(websForOffsets(later, "a")).containsExactly("[3, 32)");
    String written = SUCCESSIVE_BRANCHES.replace("t = relu(u)", "t = relu(u)\n  a = relu(t)");
    assertThat(websForOffsets(written, "a").get(0)).startsWith("[3, 14)[17, 24)");
  }

  /** The second branch lists b, but does not read it; what comes after it does. */
  @Test
  void successiveBranches_keepWhatTheSecondOnlyLists() {
    String listed =
        SUCCESSIVE_BRANCHES
            .replace("v = elementwise_add(a, b)", "v = relu(a)")
            .replace("fetch(y)", "w = relu(b)\n  fetch(w)");
    assertThat(websForOffsets(listed, "b")).containsExactly("[5, 32)");
  }

  @Test
  void branchesWithAnOperatorBetweenThem_keepAll() {
    String not = "  n = logical_not(c)\n";
    String second = "  conditional_block(Cond: n";
    String apart = SUCCESSIVE_BRANCHES.replace(not, "").replace(second, not + second);
    assertThat(websForOffsets(apart, "a")).containsExactly("[3, 22)");
  }

  private static final String BRANCHES =
      """
      block 0
        feed x: fp32[4]
        var c: bool[1]
        var n: bool[1]
        var m: int32[1]
        var s0: step_scopes
        var s1: step_scopes
        f = fill_constant()
        t = fill_constant()
        c = less_than(x, x)
        conditional_block(Cond: c, Input: x) -> (Out: t, Scope: s0) {sub_block: 1, is_scalar_condition: true}
        n = logical_not(c)
        conditional_block(Cond: n, Input: x) -> (Out: f, Scope: s1) {sub_block: 2, is_scalar_condition: true}
        m = cast(MASK)
        y = select_input(X: f t, Mask: m)
        fetch(y)
      block 1 parent 0
        u = relu(x)
        t = relu(u)
      block 2 parent 0
        v = relu(x)
        f = relu(v)
      """;

  @Test
  void exclusiveBranches_eachResultLivesOnItsOwnPathOnly() {
    // Nodes: feed 0, f 1, t 2, c 3, head 4, u 5, t 6, exit 7, n 8, head 9, v 10, f 11, exit 12,
    // cast 13, select 14, fetch 15.
    Program program = ProgramText.parse(BRANCHES.replace("MASK", "c"));
    assertThat(webs(program, "t")).containsExactly("[5, 6)", "[13, 20)[24, 30)").inOrder();
    assertThat(webs(program, "f")).containsExactly("[3, 4)", "[23, 30)").inOrder();
  }

  /** Nobody knows what a block does of which the operator is not one for control flow. */
  @Test
  void exclusiveBranches_resultOfAnOperatorWithABlock_keepsTheValueFromBefore() {
    String text =
        BRANCHES.replace("MASK", "c").replace("f = relu(v)", "f = relu(v) {sub_block: 3}");
    Program program = ProgramText.parse(text + "block 3 parent 2\n");
    assertThat(webs(program, "f")).containsExactly("[3, 20)[23, 30)");
    assertThat(Transpiler.plan(program, TranspileOptions.defaults()).plan().arenas()).hasSize(1);
  }

  @Test
  void branchesWithoutThePattern_keepTheValuesFromBefore() {
    Program program = ProgramText.parse(BRANCHES.replace("cast(MASK)", "cast(x)"));
    // Only within its own branch, until it is written there, the value from before is not needed.
    assertThat(webs(program, "t")).containsExactly("[5, 10)[13, 30)");
    assertThat(webs(program, "f")).containsExactly("[3, 20)[23, 30)");
  }
}
