package dev.sublet.cfg;

import static com.google.common.truth.Truth.assertThat;

import dev.sublet.operator.OperatorCatalog;
import dev.sublet.testing.text.ProgramText;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which conditional blocks end a loop when they are skipped, by region. */
final class ExitConditionalsTest {

  private static final String THREE_COPIES =
      """
      block 0
        feed n: int64[1]
        var scopes: step_scopes
        var c: bool[1]
        var d: bool[1]
        i = fill_constant()
        c = less_than(i, n)
        while(Condition: c, X: i n) -> (Out: c i, StepScopes: scopes) {sub_block: 1}
        fetch(i)
      block 1 parent 0
        var first: step_scopes
        i = increment(i)
        c = less_than(i, n)
        conditional_block(Cond: c, Input: i n) -> (Out: c i, Scope: first) {sub_block: 2, is_scalar_condition: true}
      block 2 parent 1
        var second: step_scopes
        i = increment(i)
        c = less_than(i, n)
        conditional_block(Cond: c, Input: i n) -> (Out: c i, Scope: second) {sub_block: 3, is_scalar_condition: true}
      block 3 parent 2
        i = increment(i)
        c = less_than(i, n)
      """;

  private static final String GRADIENT =
      """
        while_grad(X: i n, Out: i, Out@GRAD: i, StepScopes: scopes) -> (X@GRAD: i n) {sub_block: 4, original_output_grad: ["i"]}
        fetch(i)
      """;

  private static ControlFlowGraph graph(String text) {
    return ControlFlowGraph.build(ProgramText.parse(text), OperatorCatalog.standard());
  }

  private static List<Integer> leaves(String text) {
    List<Integer> leaves = new ArrayList<>();
    for (Region region : graph(text).regions()) {
      leaves.add(region.leaves());
    }
    return leaves;
  }

  @Test
  void nestedCopies_allLeaveTheLoop() {
    assertThat(leaves(THREE_COPIES)).containsExactly(-1, -1, 1, 1).inOrder();
    // Nodes: feed 0, i 1, c 2, head 3, i 4, c 5, branch 6, i 7, c 8, branch 9, i 10, c 11, exits
    // 12, 13 and 14, fetch 15.
    ControlFlowGraph graph = graph(THREE_COPIES);
    assertThat(graph.successors(3)).containsExactly(4, 14).inOrder();
    assertThat(graph.successors(6)).containsExactly(7, 14).inOrder();
    assertThat(graph.successors(9)).containsExactly(10, 14).inOrder();
    assertThat(graph.successors(12)).containsExactly(13);
    assertThat(graph.successors(13)).containsExactly(3);
    assertThat(graph.successors(14)).containsExactly(15);
  }

  @Test
  void outerCopyThatIsNone_makesTheInnerOneNoneEither() {
    String notLast =
        THREE_COPIES.replace("block 2 parent 1", "  j = increment(i)\nblock 2 parent 1");
    assertThat(leaves(notLast)).containsExactly(-1, -1, -1, -1).inOrder();
    assertThat(graph(notLast).successors(9)).containsExactly(10, 12).inOrder();
    assertThat(leaves(THREE_COPIES.replaceFirst("Cond: c", "Cond: d")))
        .containsExactly(-1, -1, -1, -1)
        .inOrder();
  }

  @Test
  void innerCopyThatIsNone_leavesTheOuterOneAsItIs() {
    String inner = "Out: c i, Scope: second) {sub_block: 3, is_scalar_condition: ";
    for (String other :
        List.of(
            THREE_COPIES.replace("block 3 parent 2", "  j = increment(i)\nblock 3 parent 2"),
            THREE_COPIES.replace(inner + "true", inner + "false"),
            THREE_COPIES.replace("var second", "var c: bool[1]\n  var second"))) {
      assertThat(leaves(other)).containsExactly(-1, -1, 1, -1).inOrder();
    }
  }

  @Test
  void loopWhoseScopesAreKept_isLeftAlone() {
    String training =
        THREE_COPIES.replace("  fetch(i)\n", GRADIENT) + "block 4 parent 1 forward 1\n";
    assertThat(graph(training).region(1).kept()).isTrue();
    assertThat(leaves(training)).containsExactly(-1, -1, -1, -1, -1).inOrder();
  }
}
