package dev.sublet.diff;

import static com.google.common.truth.Truth.assertThat;

import dev.sublet.report.ProgramDiffReport;
import dev.sublet.testing.text.ProgramText;
import org.junit.jupiter.api.Test;

/** Small programs, and what is said of the difference. */
final class ProgramDiffTest {

  private static final String LOOP =
      """
      version 2004000
      default fp32[4]
      block 0
      feed x
      var n: int64[1] persistable
      i = fill_constant()
      y = assign(x)
      c = less_than(X: i, Y: n)
      while(Condition: c, X: y i n) -> (Out: y i c, StepScopes: s) {sub_block: 1, is_test: true}
      fetch(y)
      block 1 parent 0
      t = tanh(y)
      y = scale(t) {scale: 2.0}
      i = increment(i)
      c = less_than(X: i, Y: n)
      """;

  private static String diff(String before, String after) {
    return new ProgramDiffReport(
            ProgramDiff.between(ProgramText.parse(before), ProgramText.parse(after)))
        .text();
  }

  @Test
  void blocksStandForEachOther_whateverTheirNumbers() {
    String shifted =
        LOOP.replace("sub_block: 1", "sub_block: 2")
            .replace(
                "block 1 parent 0", "block 1 parent 0\nz = relu(x)\nz = relu(z)\nblock 2 parent 0")
            .replace(
                "fetch(y)",
                "conditional_block(Cond: c, Input: x) -> (Out: y, Scope: r) {sub_block: 1}\n"
                    + "fetch(y)");

    assertThat(diff(LOOP, shifted))
        .isEqualTo(
            """
            added: block 0, op 5 (conditional_block)
            changed: block 0, op 5 (fetch), now op 6: input X is another value of 'y'
            added: block 1 with 2 operators
            variable added: r
            variable added: 1:z
            """);
  }

  @Test
  void aChangeInABlock_isFoundInItsPartner() {
    assertThat(
            diff(
                LOOP,
                LOOP.replace("scale: 2.0", "scale: 3.0")
                    .replace("t = ", "u = ")
                    .replace("(t)", "(u)")))
        .isEqualTo(
            """
            renamed: 1:t → 1:u (2 uses)
            changed: block 1, op 1 (scale): attribute scale is 3.0 instead of 2.0
            """);
  }

  @Test
  void aNameWithSeveralOccupants_isListedForEach() {
    String before =
        """
        default fp32[4]
        block 0
        feed x
        a = relu(x)
        b = tanh(a)
        c = exp(b)
        d = abs(c)
        fetch(d)
        """;
    String after =
        """
        default fp32[4]
        block 0
        feed x
        a = relu(x)
        b = tanh(a)
        a = exp(b)
        b = abs(a)
        fetch(b)
        """;

    assertThat(diff(before, after)).isEqualTo("renamed: c → a (2 uses)\nrenamed: d → b (2 uses)\n");
    // The other way round the first two uses of each keep the name.
    assertThat(diff(after, before))
        .isEqualTo("renamed: a → c (2 of 4 uses)\nrenamed: b → d (2 of 4 uses)\n");
  }

  @Test
  void anOperatorAmongEqualOnes_isFoundByItsNames() {
    String before =
        """
        default fp32[4]
        block 0
        feed x
        a = relu(x)
        b = relu(a)
        c = relu(b)
        fetch(c)
        """;

    assertThat(diff(before, before.replace("b = relu(a)", "z = relu(a)\nb = relu(z)")))
        .isEqualTo(
            """
            added: block 0, op 2 (relu)
            changed: block 0, op 2 (relu), now op 3: input X is 'z' instead of 'a'
            variable added: z
            """);
  }

  @Test
  void slots_areComparedByName() {
    String before =
        """
        default fp32[4]
        block 0
        feed x
        a = sum(x x)
        b = relu(a)
        fetch(b)
        """;

    assertThat(diff(before, before.replace("a = sum(x x)", "a = sum(X: x, Other: x) {axis: 1}")))
        .isEqualTo(
            "changed: block 0, op 1 (sum): input X has 1 arguments instead of 2;"
                + " input Other added; attribute axis added, 1\n");
  }

  @Test
  void namesInAttributes_areRenamedToo() {
    String before =
        """
        default fp32[4]
        block 0
        feed x
        var w: fp32[4] persistable
        a = relu(x) {op_role_var: ["w", "x"]}
        b = relu(a) {op_namescope: "here"}
        fetch(b)
        """;
    String after = before.replace("\"w\"", "\"v\"").replace("var w:", "var v:");

    // Nothing but an attribute names w, so nothing says that v is what it was.
    assertThat(diff(before, after))
        .isEqualTo(
            """
            changed: block 0, op 1 (relu): attribute op_role_var is ['v', 'x'] instead of ['w', 'x']
            variable removed: w
            variable added: v
            """);
    assertThat(
            diff(
                before.replace("relu(a)", "elementwise_add(a, w)"),
                after.replace("relu(a)", "elementwise_add(a, v)")))
        .isEqualTo("renamed: w → v (2 uses)\n");
    assertThat(diff(before, before.replace("here", "there")))
        .isEqualTo(
            "changed: block 0, op 2 (relu): attribute op_namescope is 'there' instead of 'here'\n");
  }
}
