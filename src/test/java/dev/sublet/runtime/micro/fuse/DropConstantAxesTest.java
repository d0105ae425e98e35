package dev.sublet.runtime.micro.fuse;

import static com.google.common.truth.Truth.assertThat;
import static dev.sublet.runtime.micro.fuse.PassText.blocks;

import dev.sublet.runtime.micro.text.MicroProgramText;
import org.junit.jupiter.api.Test;

/** Values that are equal along an axis are computed once. */
final class DropConstantAxesTest {

  private static final String TENSORS =
      """
      program test
      input x: float32[?, ?]
      temporary t: float32[d(x, 0), d(x, 1)]
      output y: float32[d(x, 0), d(x, 1)]
      """;

  private static String dropped(String value, String reader) {
    return PassText.apply(
        new DropConstantAxes(), TENSORS, written("i0", "i1", value), read(reader));
  }

  private static String written(String first, String second, String value) {
    return """
    for i0 in 0..d(x, 0)
      for i1 in 0..d(x, 1)
        t[%s, %s] = %s
    """
        .formatted(first, second, value);
  }

  private static String read(String value) {
    return """
    for i0 in 0..d(x, 0)
      for i1 in 0..d(x, 1)
        y[i0, i1] = %s
    """
        .formatted(value);
  }

  @Test
  void valueOfARow_isComputedOnceARow() {
    assertThat(dropped("exp(x[i0, 0])", "t[i0, i1] + t[i0, 0]"))
        .isEqualTo(
            blocks(
                "f0",
                """
                for i0 in 0..d(x, 0)
                  t[i0] = exp(x[i0, 0])
                """,
                "f1",
                read("t[i0] + t[i0]")));
  }

  @Test
  void valueOfAll_isComputedOnce() {
    assertThat(dropped("exp(x[0, 0])", "t[i0, i1]"))
        .isEqualTo(blocks("f0", "for i1 in 0..1\n  t[] = exp(x[0, 0])\n", "f1", read("t[]")));
  }

  @Test
  void loads_areCheckedAgain() {
    // Inside the loop over axis 1 that has an element 0; outside it may be empty.
    assertThat(dropped("exp(x![i0, 0])", "t[i0, i1]")).contains("t[i0] = exp(x[i0, 0])");
  }

  @Test
  void readThatMayBeOutside_keepsTheAxis() {
    assertThat(dropped("exp(x[i0, 0])", "t[i0, i1 + 1]"))
        .isEqualTo(blocks("f0", written("i0", "i1", "exp(x[i0, 0])"), "f1", read("t[i0, i1 + 1]")));
    assertThat(dropped("exp(x[i0, 0])", "t[i0 + 1, i1]")).contains("y[i0, i1] = t[i0 + 1]");
  }

  @Test
  void divisionByAnExtent_keepsTheAxis() {
    String value = "exp(x[i0 / d(x, 1), 0])";

    assertThat(dropped(value, "t[i0, i1]"))
        .isEqualTo(blocks("f0", written("i0", "i1", value), "f1", read("t[i0, i1]")));
  }

  @Test
  void otherStatements_keepTheAxis() {
    String block =
        """
        for i0 in 0..d(x, 0)
          for i1 in 0..d(x, 1)
            t[i0, i1] = exp(x[i0, 0])
            y[i0, i1] = t[i0, i1]
        """;

    assertThat(PassText.apply(new DropConstantAxes(), TENSORS, block))
        .isEqualTo(blocks("f0", block));
  }

  @Test
  void rootOfTheVariance_isTakenOnceARow() {
    String declarations =
        """
        program test
        input v: float32[?]
        input x: float32[d(v, 0), ?]
        temporary broadcast: float32[d(x, 0), d(x, 1)]
        temporary more: float32[d(x, 0), d(x, 1)]
        temporary root: float32[d(x, 0), d(x, 1)]
        output y: float32[d(x, 0), d(x, 1)]
        """;
    String each = "for i0 in 0..d(x, 0)\n  for i1 in 0..d(x, 1)\n    ";

    assertThat(
            PassText.functions(
                SimplifyProgram.simplify(
                        MicroProgramText.parse(
                            declarations
                                + blocks(
                                    "broadcast",
                                    each + "broadcast[i0, i1] = v[i0]\n",
                                    "more",
                                    each + "more[i0, i1] = broadcast[i0, i1] + 1.0\n",
                                    "root",
                                    each + "root[i0, i1] = rsqrt(more[i0, i1])\n",
                                    "y",
                                    each + "y[i0, i1] = x[i0, i1] * root[i0, i1]\n")))
                    .program()))
        .isEqualTo(
            blocks(
                "root",
                "for i0 in 0..d(v, 0)\n  root![i0] = rsqrt(v![i0] + 1.0)\n",
                "y",
                """
                for i0 in 0..d(v, 0)
                  for i1 in 0..d(x, 1)
                    y![i0, i1] = x![i0, i1] * root![i0]
                """));
  }
}
