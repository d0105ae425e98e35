package dev.sublet.verify.rewrite;

import static com.google.common.truth.Truth.assertThat;

import com.google.common.collect.ImmutableSet;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.program.Program;
import dev.sublet.shape.MemorySpaces;
import dev.sublet.testing.InferredSizes;
import dev.sublet.testing.text.ProgramText;
import dev.sublet.verify.graph.ProofOptions;
import dev.sublet.verify.graph.Violations;
import org.junit.jupiter.api.Test;

/** Programs with loops unrolled by hand, right and wrong ones. */
final class UnrolledProgramsTest {

  private static final String HEAD =
      """
      block 0
        feed n: int64[1]
        feed x0: fp32[4]
        var scopes: step_scopes
        var c: bool[1]
        var i: int64[1]
        var x: fp32[4]
      """;

  private static final String START =
      """
        i = fill_constant() {shape: [1], dtype: 3, value: 0.0}
        x = relu(x0)
        c = less_than(i, n)
      """;

  /** x goes from one iteration to the next by a copy, and is fetched. */
  private static final String CARRY =
      HEAD
          + START
          + """
              while(Condition: c, X: i n x) -> (Out: c i x, StepScopes: scopes) {sub_block: 1, is_test: true}
              y = tanh(x)
              fetch(y)
            block 1 parent 0
              var t: fp32[4]
              var u: fp32[4]
              t = relu(x)
              u = tanh(t)
              i = increment(i) {step: 1.0}
              c = less_than(i, n)
              x = assign(u)
            """;

  private static final String BOOKKEEPING =
      """
        var z: fp32[4]
        var r: int32[1]
        var one: int32[1]
        var f: bool[1]
        var s1: step_scopes
      """;

  /** The same with u in x's place and in another one, z, by turns. */
  private static final String PING_PONG =
      HEAD
          + BOOKKEEPING
          + START
          + """
              r = fill_constant() {shape: [1], dtype: 2, value: 0.0, force_cpu: true}
              while(Condition: c, X: i n x) -> (Out: c i x z r, StepScopes: scopes) {sub_block: 1, is_test: true}
              one = fill_constant() {shape: [1], dtype: 2, value: 1.0, force_cpu: true}
              f = equal(r, one) {axis: -1}
              conditional_block(Cond: f, Input: z) -> (Out: x, Scope: s1) {sub_block: 3, is_scalar_condition: true}
              y = tanh(x)
              fetch(y)
            block 1 parent 0
              var t: fp32[4]
              var s2: step_scopes
              t = relu(x)
              z = tanh(t)
              i = increment(i) {step: 1.0}
              c = less_than(i, n)
              r = fill_constant() {shape: [1], dtype: 2, value: 1.0, force_cpu: true}
              conditional_block(Cond: c, Input: i n z) -> (Out: c i x r, Scope: s2) {sub_block: 2, is_scalar_condition: true}
            block 2 parent 1
              var v: fp32[4]
              v = relu(z)
              x = tanh(v)
              i = increment(i) {step: 1.0}
              c = less_than(i, n)
              r = fill_constant() {shape: [1], dtype: 2, value: 0.0, force_cpu: true}
            block 3 parent 0
              x = assign(z)
            """;

  /** x and w change places in each iteration. */
  private static final String SWAP =
      HEAD
          + "  var w: fp32[4]\n"
          + START
          + """
              w = tanh(x0)
              while(Condition: c, X: i n x w) -> (Out: c i x w, StepScopes: scopes) {sub_block: 1, is_test: true}
              y = elementwise_sub(x, w) {axis: -1}
              fetch(y)
            block 1 parent 0
              var t: fp32[4]
              t = assign(x)
              x = assign(w)
              w = assign(t)
              i = increment(i) {step: 1.0}
              c = less_than(i, n)
            """;

  private static final String SWAP_TWICE =
      HEAD
          + BOOKKEEPING.replace("  var z: fp32[4]\n", "")
          + "  var w: fp32[4]\n"
          + START
          + """
              w = tanh(x0)
              r = fill_constant() {shape: [1], dtype: 2, value: 0.0}
              while(Condition: c, X: i n) -> (Out: c i x r, StepScopes: scopes) {sub_block: 1, is_test: true}
              one = fill_constant() {shape: [1], dtype: 2, value: 1.0}
              f = equal(r, one) {axis: -1}
              conditional_block(Cond: f, Input: x w) -> (Out: x w, Scope: s1) {sub_block: 3, is_scalar_condition: true}
              y = elementwise_sub(x, w) {axis: -1}
              fetch(y)
            block 1 parent 0
              var s2: step_scopes
              i = increment(i) {step: 1.0}
              c = less_than(i, n)
              r = fill_constant() {shape: [1], dtype: 2, value: 1.0}
              conditional_block(Cond: c, Input: i n) -> (Out: c i r, Scope: s2) {sub_block: 2, is_scalar_condition: true}
            block 2 parent 1
              i = increment(i) {step: 1.0}
              c = less_than(i, n)
              r = fill_constant() {shape: [1], dtype: 2, value: 0.0}
            block 3 parent 0
              var a: fp32[4]
              a = assign(x)
              x = assign(w)
              w = assign(a)
            """;

  @Test
  void carriedVariables_mayTakeTurns() {
    assertThat(validate(CARRY, PING_PONG)).isEqualTo("valid");
    assertThat(validate(SWAP, SWAP_TWICE)).isEqualTo("valid");
  }

  /** The unrolled loop writes neither of the two, and the original both. */
  @Test
  void carriedVariables_mayHaveOtherNames() {
    String renamed = SWAP_TWICE.replaceAll("\\bx\\b", "p").replaceAll("\\bw\\b", "q");
    assertThat(validate(SWAP, renamed)).isEqualTo("valid");
    assertThat(validate(SWAP, renamed.replace("elementwise_sub(p, q)", "elementwise_sub(q, p)")))
        .contains("variable 'x': is read from 'q', which may hold another value");
  }

  @Test
  void fixups_mustSuitTheResidue() {
    for (String[] change :
        new String[][] {
          {
            "one = fill_constant() {shape: [1], dtype: 2, value: 1.0",
            "one = fill_constant() {shape: [1], dtype: 2, value: 0.0"
          },
          {"  x = assign(z)\n", ""},
          {"x = assign(z)", "z = assign(x)"},
          {
            "dtype: 2, value: 1.0, force_cpu: true}\n  conditional_block(Cond: c",
            "dtype: 2, value: 2.0, force_cpu: true}\n  conditional_block(Cond: c"
          },
        }) {
      assertThat(PING_PONG).contains(change[0]);
      assertThat(validate(CARRY, PING_PONG.replace(change[0], change[1])))
          .contains("variable 'x': is read");
    }
    assertThat(validate(SWAP, SWAP_TWICE.replace("w = assign(a)", "w = assign(x)")))
        .contains("variable 'w': is read, but 'w' may have been overwritten");
  }

  @Test
  void counting_mustBeWhatItSeems() {
    for (String[] change :
        new String[][] {
          {"  v = relu(z)\n", "  v = relu(z)\n  r = increment(r) {step: 1.0}\n"},
          {"value: 0.0, force_cpu: true}\n  while", "value: 1.0, force_cpu: true}\n  while"},
          {
            "dtype: 2, value: 0.0, force_cpu: true}\nblock 3",
            "dtype: 5, value: 0.0, force_cpu: true}\nblock 3"
          },
          {"f = equal(r, one)", "f = not_equal(r, one)"},
          {"f = equal(r, one)", "f = equal(one, one)"},
          {"value: 1.0, force_cpu: true}\n  f", "value: 1.0, str_value: \"0\"}\n  f"},
          {"x = assign(z)", "x = relu(z)"},
        }) {
      assertThat(PING_PONG).contains(change[0]);
      assertThat(validate(CARRY, PING_PONG.replace(change[0], change[1]))).isNotEqualTo("valid");
    }
  }

  @Test
  void copies_mustComputeTheSame() {
    for (String[] change :
        new String[][] {
          {"v = relu(z)", "v = relu(x)"},
          {"v = relu(z)", "v = tanh(z)"},
          {"x = tanh(v)", "z = tanh(v)"},
          {"  v = relu(z)\n", "  v = relu(z)\n  v = relu(v)\n"},
          {"  x = tanh(v)\n  i = increment(i) {step: 1.0}\n", "  x = tanh(v)\n"},
          {"(Cond: c, Input: i n z)", "(Cond: f, Input: i n z)"},
          {"var v: fp32[4]", "var v: fp32[4]\n  var c: bool[1]"},
          {"var v: fp32[4]", "var v: fp32[4]\n  var n: int64[1]"},
          {"sub_block: 2, is_scalar_condition: true", "sub_block: 2, is_scalar_condition: false"},
          {"block 2 parent 1", "  z = relu(z)\nblock 2 parent 1"},
          {"block 2 parent 1", "  z = assign(x)\nblock 2 parent 1"},
        }) {
      assertThat(PING_PONG).contains(change[0]);
      assertThat(validate(CARRY, PING_PONG.replace(change[0], change[1]))).isNotEqualTo("valid");
    }
  }

  @Test
  void withoutUsersBehindTheLoop_nothingNeedsCounting() {
    String original = CARRY.replace("  y = tanh(x)\n", "").replace("fetch(y)", "fetch(i)");
    String plain =
        PING_PONG
            .replaceAll("  r = .*\n", "")
            .replaceAll("  one = .*\n  f = .*\n  conditional_block.*\n  y = .*\n", "")
            .replace("fetch(y)", "fetch(i)")
            .replace("x z r,", "x z,")
            .replace("i x r,", "i x,")
            .replaceAll("block 3(?s:.*)", "");
    assertThat(validate(original, plain)).isEqualTo("valid");
    assertThat(validate(original, plain.replace("v = relu(z)", "v = relu(x)")))
        .contains("variable 'x': is read");
    assertThat(
            validate(
                original.replace("fetch(i)", "fetch(x)"), plain.replace("fetch(i)", "fetch(x)")))
        .contains("variable 'x': is read");
  }

  /** Locals that live on from one iteration to the next must do so in the copies too. */
  @Test
  void localsOfTheBody() {
    String original =
        CARRY
            .replace(
                "  t = relu(x)\n", "  t = relu(x)\n  t = elementwise_add(t, k)\n  k = relu(t)\n")
            .replace("var t", "var k: fp32[4]\n  var t");
    String shared =
        PING_PONG
            .replace(
                "  t = relu(x)\n", "  t = relu(x)\n  t = elementwise_add(t, k)\n  k = relu(t)\n")
            .replace(
                "  v = relu(z)\n", "  v = relu(z)\n  v = elementwise_add(v, k)\n  k = relu(v)\n")
            .replace("var t", "var k: fp32[4]\n  var t");
    assertThat(validate(original, shared)).isEqualTo("valid");
    assertThat(validate(original, shared.replace("var v", "var k: fp32[4]\n  var v")))
        .isNotEqualTo("valid");
  }

  private static String validate(String original, String rewritten) {
    OperatorCatalog catalog = OperatorCatalog.standard();
    Program parsed = ProgramText.parse(original);
    ProofOptions options =
        new ProofOptions(ImmutableSet.of(), ImmutableSet.of(), /* reuseFeeds= */ false);
    Violations violations = new Violations();
    return UnrolledPair.unroll(
            parsed,
            InferredSizes.of(parsed),
            ProgramText.parse(rewritten),
            catalog,
            options,
            violations)
        .map(
            pair ->
                RewriteValidator.validateUnrolled(
                    pair,
                    catalog,
                    InferredSizes.of(pair.original()),
                    MemorySpaces.find(pair.original(), catalog, MemorySpaces.Target.CPU),
                    options))
        .orElseGet(violations::result)
        .toString();
  }
}
