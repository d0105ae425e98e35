package dev.sublet.sharing;

import static com.google.common.truth.Truth.assertThat;

import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.TranspileOptions;
import dev.sublet.TranspileResult;
import dev.sublet.Transpiler;
import dev.sublet.Verifier;
import dev.sublet.liveness.ObservationOptions;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.VariableId;
import dev.sublet.shape.ShapeOptions;
import dev.sublet.sharing.SharingOptions.FusionMode;
import dev.sublet.sharing.SharingOptions.Level;
import dev.sublet.sharing.SharingOptions.Policy;
import dev.sublet.testing.text.ProgramText;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Which variable takes whose name without graph passes: a program, and the renamings that are made.
 */
final class VariableSharingTest {

  private static TranspileResult transpile(
      String text, Policy policy, Level level, boolean inPlace) {
    TranspileOptions options =
        TranspileOptions.defaults()
            .withSharing(new SharingOptions(policy, level, inPlace, FusionMode.OFF));
    return Transpiler.transpile(ProgramText.parse(text), options);
  }

  private static String renamings(TranspileResult result) {
    Map<String, String> renamings = new TreeMap<>();
    for (Map.Entry<VariableId, VariableId> entry : result.sharing().renamings().entrySet()) {
      renamings.put(entry.getKey().name(), entry.getValue().name());
    }
    return renamings.toString();
  }

  private static String pool(String text) {
    return renamings(transpile(text, Policy.POOL, Level.FIT, false));
  }

  private static final String CHAIN =
      """
      version 2004000
      block 0
        var a: fp32[8]
        var b: fp32[8]
        var c: fp32[8]
        var d: fp32[8]
        feed x: fp32[8]
        a = matmul_v2(x)
        b = relu(a)
        c = relu(b)
        d = matmul_v2(c)
        fetch(d)
      """;

  @Test
  void pool_takesWhatDiedBeforeTheOperator() {
    // d is fetched: it names its group.
    assertThat(pool(CHAIN)).isEqualTo("{b=d, c=a}");
  }

  @Test
  void inPlace_takesTheInputThatDiesAtTheOperator() {
    TranspileResult result = transpile(CHAIN, Policy.POOL, Level.FIT, true);
    assertThat(renamings(result)).isEqualTo("{b=a, c=a}");
  }

  /** The last operator of the body reads s once more in each iteration: t may not take its name. */
  @Test
  void inPlace_isNotTakenAtTheEndOfABody_ifTheNextIterationReadsTheInput() {
    String text =
        """
        version 2004000
        block 0
          var t: fp32[16]
          var s: fp32[16]
          var a: fp32[16]
          var i: int64[1]
          var c: bool[1]
          feed n: int64[1]
          feed f: fp32[16]
          a = tanh(f)
          s = tanh(a)
          i = fill_constant() {shape: [1L], dtype: 3, value: 0.0}
          c = less_than(X: i, Y: n)
          while(Condition: c, X: a i n) -> (Out: a i c, StepScopes: z) {sub_block: 1, is_test: true}
          fetch(a)
        block 1 parent 0
          a = elementwise_add(a, s)
          i = increment(i)
          c = less_than(X: i, Y: n)
          t = relu(s)
        """;
    for (Policy policy : Policy.values()) {
      assertThat(renamings(transpile(text, policy, Level.FIT, true))).isEqualTo("{}");
    }
    // Read before the loop only, by an operator that is not the last of a body, it may.
    String outside =
        text.replace("  t = relu(s)\n", "").replace("  i = fill", "  t = relu(s)\n  i = fill");
    String unread = outside.replace("elementwise_add(a, s)", "elementwise_add(a, a)");
    assertThat(renamings(transpile(unread, Policy.POOL, Level.FIT, true))).isEqualTo("{s=t}");
  }

  @Test
  void inPlace_isNotTakenBeforeTheTableListsThePair() {
    TranspileResult result =
        transpile(CHAIN.replace("2004000", "1005000"), Policy.POOL, Level.FIT, true);
    assertThat(renamings(result)).isEqualTo("{b=d, c=a}");
  }

  /** In every run, the lengths of the two texts do not compare; in a typical run they do. */
  @Test
  void twoTexts_shareForTypicalLengths() {
    String text =
        """
        version 2004000
        block 0
          feed x: fp32[-1,8] lod(1)
          feed y: fp32[-1,8] lod(1)
          var a: fp32[-1,8] lod(1)
          var b: fp32[-1,8] lod(1)
          var p: fp32[-1,8]
          var q: fp32[-1,8]
          var r: fp32[-1,8]
          a = sequence_softmax(X: x)
          p = sequence_pool(X: a) {pooltype: "SUM"}
          b = sequence_softmax(X: y)
          q = sequence_pool(X: b) {pooltype: "SUM"}
          r = elementwise_add(p, q)
          fetch(r)
        """;
    ShapeOptions shapes =
        ShapeOptions.defaults()
            .withSequences("x", ImmutableLongArray.of(0, 2, 5))
            .withSequences("y", ImmutableLongArray.of(0, 4, 9));
    assertThat(renamings(text, ShapeOptions.defaults())).isEqualTo("{b=a}");
    assertThat(renamings(text, shapes)).isEqualTo("{b=a}");
  }

  /** A declaration with a number of rows states a size, and no sequence has it in every run. */
  @Test
  void twoTexts_declaredWithANumberOfRows_doNotShare() {
    String text =
        """
        version 2004000
        block 0
          feed x: fp32[-1,8] lod(1)
          feed y: fp32[-1,8] lod(1)
          var p: fp32[-1,8]
          var a: fp32[50,8] lod(1)
          var b: fp32[-1,8] lod(1)
          var q: fp32[-1,8]
          var r: fp32[-1,8]
          p = sequence_pool(X: x) {pooltype: "SUM"}
          a = sequence_expand_as(X: p, Y: y)
          q = sequence_pool(X: a) {pooltype: "SUM"}
          b = sequence_softmax(X: y)
          r = sequence_pool(X: b) {pooltype: "SUM"}
          fetch(q)
          fetch(r)
        """;
    assertThat(renamings(text, ShapeOptions.defaults())).isEqualTo("{}");
    assertThat(renamings(text.replace("[50,8]", "[-1,8]"), ShapeOptions.defaults()))
        .isEqualTo("{b=a}");
  }

  /** Nobody knows which text is longer, so the declaration with the wider rows serves both. */
  @Test
  void twoTexts_areDeclaredWithTheWiderRows() {
    String text =
        """
        version 2004000
        block 0
          feed x: fp32[-1,8] lod(1)
          feed y: fp32[-1,16] lod(1)
          var a: fp32[-1,8] lod(1)
          var b: fp32[-1,16] lod(1)
          var p: fp32[-1,8]
          var q: fp32[-1,16]
          a = sequence_softmax(X: x)
          p = sequence_pool(X: a) {pooltype: "SUM"}
          b = sequence_softmax(X: y)
          q = sequence_pool(X: b) {pooltype: "SUM"}
          fetch(p)
          fetch(q)
        """;
    Program original = ProgramText.parse(text);
    TranspileOptions options = TranspileOptions.defaults();
    TranspileResult result = Transpiler.transpile(original, options);
    assertThat(renamings(result)).isEqualTo("{b=a}");
    assertThat(ProgramText.print(result.program())).contains("var a: fp32[-1,16] lod(1)");
    Program narrow = ProgramText.parse(text.replace("b = ", "a = ").replace("X: b", "X: a"));
    assertThat(Verifier.verify(original, narrow, options).toString())
        .contains("became 'a', but is not surely as large");
  }

  private static String renamings(String text, ShapeOptions shapes) {
    TranspileOptions options = TranspileOptions.defaults().withShapes(shapes);
    return renamings(Transpiler.transpile(ProgramText.parse(text), options));
  }

  private static final String SIZES =
      """
      version 2004000
      block 0
        var small: fp32[4]
        var large: fp32[16]
        var middle: fp32[8]
        feed x: fp32[4]
        var y: fp32[2]
        small = matmul_v2(x)
        large = matmul_v2(x)
        y = matmul_v2(small, large)
        middle = matmul_v2(y)
        y = matmul_v2(middle)
        fetch(y)
      """;

  @Test
  void fit_takesTheSmallestThatIsLargeEnough() {
    TranspileResult result = transpile(SIZES, Policy.POOL, Level.FIT, true);
    assertThat(renamings(result)).isEqualTo("{middle=large}");
  }

  @Test
  void exact_takesOnlyTheSameShape() {
    assertThat(renamings(transpile(SIZES, Policy.POOL, Level.EXACT, true))).isEqualTo("{}");
    assertThat(
            renamings(
                transpile(
                    SIZES.replace("middle: fp32[8]", "middle: fp32[16]"),
                    Policy.POOL,
                    Level.EXACT,
                    true)))
        .isEqualTo("{middle=large}");
  }

  @Test
  void group_isDeclaredLikeItsLargestMember_underTheFirstDeclaredName() {
    String text =
        SIZES.replace(
            "var small: fp32[4]\n  var large: fp32[16]\n  var middle: fp32[8]",
            "var middle: fp32[8]\n  var small: fp32[4]\n  var large: fp32[16]");
    TranspileResult result = transpile(text, Policy.POOL, Level.FIT, true);
    assertThat(renamings(result)).isEqualTo("{large=middle}");
    Program program = result.program();
    assertThat(
            program.variable(program.declared(0, "middle")).tensorType().orElseThrow().toString())
        .isEqualTo("FP32[16]");
  }

  @Test
  void dataTypes_areNeverMixed() {
    assertThat(pool(CHAIN.replace("c: fp32[8]", "c: int32[8]"))).isEqualTo("{b=d}");
  }

  @Test
  void unknownExtent_isLeftAlone_batchIsNot() {
    String leading = CHAIN.replace("fp32[8]", "fp32[-1,8]").replace("matmul_v2", "cumsum");
    assertThat(pool(leading)).isEqualTo("{b=d, c=a}");
    assertThat(pool(leading.replace("c = relu(b)", "c = mystery(b)"))).isEqualTo("{}");
  }

  @Test
  void keptVariables_keepNameAndValue() {
    TranspileOptions options =
        TranspileOptions.defaults()
            .withObservation(
                new ObservationOptions(ImmutableSet.of(), ImmutableSet.of("a", "c"), false));
    TranspileResult result = Transpiler.transpile(ProgramText.parse(CHAIN), options);
    // relu computes c where b is; d, which could have had b's name, is apart instead.
    assertThat(renamings(result)).isEqualTo("{b=c}");
  }

  @Test
  void nameThatAnInnerBlockDeclares_isNotGiven() {
    String text =
        """
        version 2004000
        block 0
          var c: bool[1]
          var s: step_scopes
          var t: fp32[8]
          var u: fp32[8]
          feed x: fp32[8]
          t = matmul_v2(x)
          c = less_than(t, x)
          u = matmul_v2(x)
          conditional_block(Cond: c, Input: u) -> (Out: y, Scope: s) {sub_block: 1}
          fetch(y)
        block 1 parent 0
          var t: fp32[8]
          t = matmul_v2(u)
          y = relu(t)
        """;
    // Renamed to t, u would be lost where block 1's own t hides the name; t can take u's name.
    TranspileResult result = transpile(text, Policy.POOL, Level.FIT, true);
    assertThat(result.sharing().renamings())
        .containsExactly(new VariableId(0, "t"), new VariableId(0, "u"));
  }

  @Test
  void renaming_reachesBlocksAndAttributes() {
    String text =
        """
        version 2004000
        block 0
          var c: bool[1]
          var s: step_scopes
          var a: fp32[8]
          var b: fp32[8]
          feed x: fp32[8]
          a = matmul_v2(x)
          c = less_than(a, x)
          b = matmul_v2(x)
          conditional_block(Cond: c, Input: b) -> (Out: y, Scope: s) {sub_block: 1, skip_eager_deletion_vars: ["b"]}
          fetch(y)
        block 1 parent 0
          y = relu(b) {op_role_var: ["b"]}
        """;
    Program program = transpile(text, Policy.POOL, Level.FIT, true).program();
    Operation branch = program.block(0).operations().get(4);
    assertThat(branch.inputSlot("Input").orElseThrow().argument(0)).isEqualTo("a");
    assertThat(branch.attribute("skip_eager_deletion_vars").orElseThrow().strings())
        .containsExactly("a");
    Operation inner = program.block(1).operations().get(0);
    assertThat(inner.inputSlot("X").orElseThrow().argument(0)).isEqualTo("a");
    assertThat(inner.attribute("op_role_var").orElseThrow().strings()).containsExactly("a");
  }

  @Test
  void attributeThatHappensToHoldAName_pinsIt() {
    String text = CHAIN.replace("c = relu(b)", "c = relu(b) {remote: \"c\"}");
    TranspileResult result = transpile(text, Policy.POOL, Level.FIT, true);
    assertThat(renamings(result)).isEqualTo("{a=d, b=d}");
    assertThat(result.sharing().leftAlone().toString())
        .contains("attribute 'remote' of an operator 'relu' holds its name");
  }

  @Test
  void unusedDeclaration_isRemoved_persistableIsNot() {
    String text =
        CHAIN.replace("feed x", "var unused: fp32[8]\n  var weight: fp32[8] persistable\n  feed x");
    Program program = transpile(text, Policy.BEST, Level.FIT, true).program();
    assertThat(program.declared(0, "unused")).isEqualTo(Program.NO_VARIABLE);
    assertThat(program.declared(0, "weight")).isNotEqualTo(Program.NO_VARIABLE);
  }

  @Test
  void global_usesHolesInLiveRanges() {
    String text =
        """
        version 2004000
        block 0
          var h: fp32[16]
          var t: fp32[8]
          feed x: fp32[4]
          h = matmul_v2(x)
          y = matmul_v2(h)
          t = matmul_v2(y)
          y = matmul_v2(t)
          h = matmul_v2(y)
          z = matmul_v2(h)
          fetch(z)
        """;
    assertThat(renamings(transpile(text, Policy.POOL, Level.FIT, true))).doesNotContain("t=h");
    assertThat(renamings(transpile(text, Policy.GLOBAL, Level.FIT, true))).contains("t=h");
  }

  /** Dot products that are declared as vectors: under a shared name none of them is inferred. */
  /** Every value of the first half is read again in the second half, so 20,000 are live at once. */
  @Test
  void global_isGivenUp_whereFarTooManyVariablesFitNoGroup() {
    int half = 20_000;
    StringBuilder text = new StringBuilder("version 2004000\nblock 0\n  feed v0: fp32[8]\n");
    for (int i = 1; i < 2 * half; i++) {
      text.append("  var v").append(i).append(": fp32[8]\n");
    }
    for (int i = 1; i < half; i++) {
      text.append("  v%d = matmul_v2(v%d)\n".formatted(i, i - 1));
    }
    for (int i = half; i < 2 * half; i++) {
      text.append("  v%d = matmul_v2(v%d, v%d)\n".formatted(i, i - 1, 2 * half - 1 - i));
    }
    text.append("  fetch(v%d)\n".formatted(2 * half - 1));

    TranspileResult result = transpile(text.toString(), Policy.BEST, Level.FIT, false);
    assertThat(result.sharing().policy()).isEqualTo("pool");
    assertThat(result.diagnostics().toString()).contains("the global policy was given up");
    assertThat(renamings(result)).isEqualTo(pool(text.toString()));
  }

  @Test
  void declarationsThatContradictTheirOperators_doNotKeepTheRestFromSharing() {
    StringBuilder variables = new StringBuilder();
    StringBuilder operators = new StringBuilder("  a0 = relu(x)\n  b0 = relu(x)\n");
    for (int i = 0; i <= 40; i++) {
      variables.append("  var a" + i + ": fp32[" + (8 + i % 3) + "]\n");
      variables.append("  var b" + i + ": fp32[8]\n");
      if (i > 0) {
        String before = "a" + (i - 1);
        operators.append("  (Out: a%d) = matmul_v2(X: %s, Y: %s)\n".formatted(i, before, before));
        operators.append("  b" + i + " = relu(b" + (i - 1) + ")\n");
      }
    }
    String text =
        "version 2004000\nblock 0\n"
            + variables
            + "  feed x: fp32[8]\n"
            + operators
            + "  fetch(a40)\n  fetch(b40)\n";

    TranspileResult result = transpile(text, Policy.POOL, Level.FIT, false);

    assertThat(result.sharing().renamings().keySet().stream().map(VariableId::name))
        .containsAtLeast("b2", "b20", "b39");
    // Ten of them are listed, and sharing says nothing.
    assertThat(result.diagnostics()).hasSize(11);
    assertThat(result.diagnostics().get(10).toString())
        .isEqualTo("30 more declarations contradict their operators");
  }

  /**
   * No rule states the shape of the result of diag_embed, so the declaration of its name does. The
   * larger declaration of a variable in the same name would contradict mul, which reads it.
   */
  @Test
  void nameWhoseDeclarationWouldContradictAReader_isNotShared() {
    String text =
        """
        version 2004000
        block 0
          var w: fp32[4,2] persistable
          var c: fp32[3,16]
          var d: fp32[3,16]
          var a: fp32[8,4]
          var b: fp32[8,2]
          var e: fp32[3,16]
          var f: fp32[3,16]
          var g: fp32[3,16]
          feed x: fp32[3,16]
          feed batched: fp32[-1,2]
          c = tanh(x)
          d = matmul_v2(c)
          a = diag_embed(d)
          b = mul(X: a, Y: w)
          e = matmul_v2(x)
          f = matmul_v2(e)
          g = matmul_v2(f)
          fetch(b, g)
        """;
    TranspileOptions options =
        TranspileOptions.defaults()
            .withShapes(ShapeOptions.defaults().withBatch(3))
            .withSharing(
                new SharingOptions(Policy.BEST, Level.FIT, /* inPlace= */ false, FusionMode.OFF));
    TranspileResult result = Transpiler.transpile(ProgramText.parse(text), options);
    assertThat(renamings(result)).isEqualTo("{d=g, e=g, f=c}");
  }
}
