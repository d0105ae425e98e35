package dev.sublet.verify.fusion;

import static com.google.common.truth.Truth.assertThat;

import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.fusion.GraphPasses;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.program.Program;
import dev.sublet.program.ProgramEditor;
import dev.sublet.testing.text.ProgramText;
import dev.sublet.verify.graph.ValidationResult;
import org.junit.jupiter.api.Test;

/** The names that passes break: a program, two variables under one name, the violation. */
final class FusionValidatorTest {

  private static final String[] SHORTCUT = {
    "version 2003002",
    "default fp32[1,4,6,6]",
    "block 0",
    "feed x: fp32[1,4,6,6]",
    "c1 = conv2d(Input: x)",
    "b1 = batch_norm(c1)",
    "r = tanh(x)",
    "c2 = conv2d(Input: r)",
    "s = elementwise_add(b1, c2)",
    "fetch(s)"
  };

  private static final String[] SCALED = {
    "version 2003002",
    "default fp32[4,4]",
    "block 0",
    "feed x: fp32[4,4]",
    "o = tanh(x)",
    "p = matmul(x, x)",
    "n = tanh(o)",
    "q = scale(p)",
    "r = elementwise_mul(n, q)",
    "fetch(r)"
  };

  private static final String[] PRODUCT = {
    "version 2003002",
    "default fp32[4,8]",
    "block 0",
    "feed x: fp32[4,8]",
    "var w: fp32[8,8] persistable",
    "var f: fp32[2,2,8]",
    "a = tanh(x)",
    "b = matmul_v2(a, w)",
    "f = reshape2(b)",
    "g = tanh(f)",
    "fetch(g)"
  };

  /** The violations, one per line, of a program in which a variable gets the name of another. */
  private static String violations(String[] text, String from, String to) {
    Program original = ProgramText.parse(text);
    ProgramEditor editor = ProgramEditor.of(original);
    editor.merge(original.resolve(0, from), original.resolve(0, to));
    ValidationResult result = FusionValidator.validate(original, editor.build());
    return result.isValid() ? "" : result.toString();
  }

  @Test
  void aReadThatMovesPastAWrite_isAViolation() {
    assertThat(violations(SHORTCUT, "c2", "c1"))
        .contains(
            "op 4 (conv2d), variable 'c1': is overwritten here, but a graph pass may move op 2"
                + " (batch_norm), which uses the name, to a later place");
  }

  @Test
  void aBatchNormInPlace_isFine() {
    assertThat(violations(SHORTCUT, "b1", "c1")).isEmpty();
  }

  @Test
  void aWriteThatMovesBeforeARead_isAViolation() {
    assertThat(violations(SCALED, "q", "o")).contains("op 4 (scale), variable 'o': is overwritten");
  }

  @Test
  void aScaleInPlaceOfItsProduct_isFine() {
    assertThat(violations(SCALED, "q", "p")).isEmpty();
  }

  @Test
  void anotherDeclaredRank_isAViolation() {
    assertThat(violations(PRODUCT, "a", "f"))
        .contains("is declared [2, 2, 8], but graph passes read the declaration, which was [4, 8]");
  }

  private static final String[] DROPPED = {
    "version 2003002",
    "default fp32[4,8]",
    "block 0",
    "feed x: fp32[4,8]",
    "var w: fp32[8,8] persistable",
    "var f: fp32[2,2,8]",
    "a = tanh(x)",
    "d = dropout(a)",
    "b = matmul_v2(d, w)",
    "g = exp(x)",
    "h = elementwise_add(d, g)",
    "f = reshape2(b)",
    "i = elementwise_add(h, b)",
    "fetch(i)"
  };

  /** The readers of a dropout's result read its input once the dropout is removed. */
  @Test
  void theInputOfADropout_isUsedAsLongAsItsResult() {
    assertThat(violations(DROPPED, "g", "a"))
        .contains("op 4 (exp), variable 'a': is overwritten here");
  }

  @Test
  void theInputOfADropout_isDeclaredLikeItsResult() {
    assertThat(violations(DROPPED, "a", "f")).contains("is declared [2, 2, 8]");
  }

  @Test
  void aDropoutInPlace_isFine() {
    assertThat(violations(DROPPED, "d", "a")).isEmpty();
  }

  @Test
  void anOriginalThatPassesBreak_isComparedByItsDeclarationsOnly() {
    Program broken =
        ProgramText.parse(
            "version 2003002",
            "default fp32[1,4,6,6]",
            "block 0",
            "feed x: fp32[1,4,6,6]",
            "c = conv2d(Input: x)",
            "b = batch_norm(c)",
            "c = conv2d(Input: x)",
            "s = elementwise_add(b, c)",
            "fetch(s)");

    assertThat(FusionValidator.validate(broken, broken).isValid()).isTrue();
  }

  @Test
  void chainOfDropouts_isWalkedOnce() {
    // A walk along the chain for each dropout, or a recursion along it, would not end.
    StringBuilder text = new StringBuilder("version 2003002\ndefault fp32[4,4]\nblock 0\n");
    text.append("feed d0: fp32[4,4]\n");
    text.append("m = matmul_v2(d0, d0)\nd1 = scale(m)\n");
    for (int i = 1; i < 50_000; i++) {
      text.append("d" + (i + 1) + " = dropout(d" + i + ")\n");
    }
    text.append("fetch(d50000)\n");
    Program program = ProgramText.parse(text.toString());
    assertThat(FusionValidator.validate(program, program).isValid()).isTrue();
    ControlFlowGraph graph = ControlFlowGraph.build(program, OperatorCatalog.standard());
    GraphPasses passes = GraphPasses.find(graph);
    int last = 50_000;
    assertThat(graph.operation(last).type()).isEqualTo("dropout");
    assertThat(graph.operation(passes.earliestWrite(last)).type()).isEqualTo("matmul_v2");
  }
}
