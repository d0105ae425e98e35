package dev.sublet.runtime.micro.fuse;

import static com.google.common.truth.Truth.assertThat;
import static dev.sublet.runtime.micro.fuse.PassText.blocks;

import org.junit.jupiter.api.Test;

/** What is computed where it is read, and what must stay a tensor. */
final class InlineProducersTest {

  private static final String TENSORS =
      """
      program test
      input x: float32[?, ?]
      temporary t: float32[d(x, 1), d(x, 0)]
      output y: float32[d(x, 0), d(x, 1)]
      """;

  private static String inlined(String declarations, String... blocks) {
    return PassText.apply(new InlineProducers(/* onlyFree= */ false), declarations, blocks);
  }

  /** The last block after the pass, if the first one writes t as {@code t[i0, i1] = value}. */
  private static String reader(String value, String reader) {
    String text =
        inlined(
            TENSORS,
            """
            for i0 in 0..d(x, 1)
              for i1 in 0..d(x, 0)
                t[i0, i1] = %s
            """
                .formatted(value),
            """
            for i0 in 0..d(x, 0)
              for i1 in 0..d(x, 1)
                y[i0, i1] = %s
            """
                .formatted(reader));
    return text.substring(text.lastIndexOf(" = ") + 3).strip();
  }

  @Test
  void load_isReadAtTheReadersIndices() {
    assertThat(reader("x[i1, i0]", "t[i1, i0]")).isEqualTo("x[i0, i1]");
    assertThat(reader("x[i1, i0]", "t[d(x, 1) - 1 - i1, i0]")).isEqualTo("x[i0, d(x, 1) - 1 - i1]");
    assertThat(reader("x[0, i0]", "exp(t[i1, i0])")).isEqualTo("exp(x[0, i1])");
  }

  @Test
  void index_isTheReaders() {
    assertThat(reader("cast(float32, index(i0 * 2))", "t[i1, i0]"))
        .isEqualTo("cast(float32, index(i1 * 2))");
  }

  @Test
  void expensiveValue_isInlinedWhereItIsReadOnce() {
    assertThat(reader("exp(x[i1, i0])", "t[i1, i0]")).isEqualTo("exp(x[i0, i1])");
    assertThat(reader("exp(x[i1, i0])", "t[i1, i0] * t[i1, i0]"))
        .isEqualTo("t[i1, i0] * t[i1, i0]");
    assertThat(reader("exp(x[i1, i0])", "t[i1, i1 - i1 + i0]"))
        .isEqualTo("exp(x[i1 - i1 + i0, i1])");
  }

  @Test
  void cheapValue_isInlinedWhereItIsReadTwice() {
    assertThat(reader("x[i1, i0] + 1.0", "t[i1, i0] * t[i1, i0]"))
        .isEqualTo("(x[i0, i1] + 1.0) * (x[i0, i1] + 1.0)");
  }

  @Test
  void arithmetic_isNotRepeatedForEveryElementOfTheReader() {
    String declarations =
        """
        program test
        input x: float32[?, ?]
        temporary t: float32[d(x, 0)]
        output y: float32[d(x, 0), d(x, 1)]
        """;
    String producer = "for i0 in 0..d(x, 0)\n  t[i0] = x[i0, 0] + 1.0\n";
    String reader =
        """
        for i0 in 0..d(x, 0)
          for i1 in 0..d(x, 1)
            y[i0, i1] = t[i0]
        """;

    assertThat(inlined(declarations, producer, reader))
        .isEqualTo(blocks("f0", producer, "f1", reader));
  }

  @Test
  void outsideOfATemporary_isKeptIfTheSourceIsOutsideToo() {
    assertThat(reader("x[i1, i0]", "t[i1 - 1, i0 outside 2.0]"))
        .isEqualTo("x[i0, i1 - 1 outside 2.0]");
  }

  @Test
  void outsideOfATemporary_thatMayBeInsideTheSource_isChosen() {
    assertThat(reader("x[0, i0]", "t[i1, i0 + 1]"))
        .isEqualTo("choose(index(i0 + 1) < index(d(x, 0)), x[0, i1], 0.0)");
    assertThat(reader("x[i1 + 1, i0]", "t[i1, i0 - 1]"))
        .isEqualTo("choose(index(i0 - 1) >= index(0), x[i0 - 1 + 1, i1], 0.0)");
    assertThat(reader("exp(x![i1, i0])", "t[i1, i0 - 1 outside 2.0]"))
        .isEqualTo("choose(index(i0 - 1) >= index(0), exp(x[i0 - 1, i1]), 2.0)");
  }

  @Test
  void twoValuesOutside_areTwo() {
    // Inside t but outside x it is 0, outside t it is 2.
    assertThat(reader("x[i1, i0 + 1]", "t[i1, i0 - 1 outside 2.0]"))
        .isEqualTo("choose(index(i0 - 1) >= index(0), x[i0 - 1, i1 + 1], 2.0)");
    assertThat(reader("x[i1, i0 + 1 outside 2.0]", "t[i1, i0 - 1 outside 2.0]"))
        .isEqualTo("x[i0 - 1, i1 + 1 outside 2.0]");
  }

  @Test
  void valueThatMayDivideByZero_isNotComputedOutside() {
    assertThat(reader("x[i1, i0 / d(x, 1)]", "t[i1, i0]")).isEqualTo("x[i0, i1 / d(x, 1)]");
    assertThat(reader("x[i1, i0 / d(x, 1)]", "t[i1, i0 - 1]")).isEqualTo("t[i1, i0 - 1]");
  }

  @Test
  void producerThatIsWrittenTwice_stays() {
    String producer =
        """
        for i0 in 0..d(x, 1)
          for i1 in 0..d(x, 0)
            t[i0, i1] = x[i1, i0]
        """;
    String more =
        """
        for i0 in 0..d(x, 1)
          for i1 in 0..d(x, 0)
            t[i0, i1] += x[i1, i0]
        """;
    String reader =
        """
        for i0 in 0..d(x, 0)
          for i1 in 0..d(x, 1)
            y[i0, i1] = t[i1, i0]
        """;

    assertThat(inlined(TENSORS, producer, more, reader))
        .isEqualTo(blocks("f0", producer, "f1", more, "f2", reader));
  }

  @Test
  void producerOfAPart_stays() {
    String producer =
        """
        for i0 in 1..d(x, 1)
          for i1 in 0..d(x, 0)
            t[i0, i1] = x[i1, i0]
        """;
    String reader =
        """
        for i0 in 0..d(x, 0)
          for i1 in 0..d(x, 1)
            y[i0, i1] = t[i1, i0]
        """;

    assertThat(inlined(TENSORS, producer, reader)).isEqualTo(blocks("f0", producer, "f1", reader));
  }

  @Test
  void sourceOverwrittenInBetween_keepsTheCopy() {
    String declarations =
        """
        program test
        input x: float32[?]
        temporary t: float32[d(x, 0)]
        output s: float32[d(x, 0)]
        output y: float32[d(x, 0)]
        """;
    String first = "for i0 in 0..d(x, 0)\n  s[i0] = x[i0]\n";
    String copy = "for i0 in 0..d(x, 0)\n  t[i0] = s[i0]\n";
    String overwrite = "for i0 in 0..d(x, 0)\n  s[i0] = 0.0\n";
    String reader = "for i0 in 0..d(x, 0)\n  y[i0] = t[i0]\n";

    assertThat(inlined(declarations, first, copy, overwrite, reader))
        .isEqualTo(blocks("f0", first, "f1", copy, "f2", overwrite, "f3", reader));
    assertThat(inlined(declarations, first, copy, reader, overwrite))
        .isEqualTo(
            blocks(
                "f0",
                first,
                "f1",
                copy,
                "f2",
                "for i0 in 0..d(x, 0)\n  y[i0] = s[i0]\n",
                "f3",
                overwrite));
  }

  @Test
  void indices_areInlinedAsIndices() {
    String declarations =
        """
        program test
        input x: float32[?]
        input k: int32[d(x, 0)]
        temporary j: int64[d(x, 0)]
        output y: float32[d(x, 0)]
        """;
    String reader = "for i0 in 0..d(x, 0)\n  y[i0] = x[j[i0]]\n";

    assertThat(
            inlined(
                declarations, "for i0 in 0..d(x, 0)\n  j[i0] = index(d(x, 0) - 1 - i0)\n", reader))
        .contains("y[i0] = x[d(x, 0) - 1 - i0]");
    assertThat(
            inlined(declarations, "for i0 in 0..d(x, 0)\n  j[i0] = cast(int64, k[i0])\n", reader))
        .contains("y[i0] = x[k[i0]]");
    // Outside, an index that is read is 0.
    assertThat(
            inlined(
                declarations,
                "for i0 in 0..d(x, 0)\n  j[i0] = cast(int64, k[i0 + 1 outside 3])\n",
                reader))
        .contains("y[i0] = x[j[i0]]");
  }
}
