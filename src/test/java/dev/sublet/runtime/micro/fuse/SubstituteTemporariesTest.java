package dev.sublet.runtime.micro.fuse;

import static com.google.common.truth.Truth.assertThat;

import org.junit.jupiter.api.Test;

/** Substitution and shrinking of what is read in the iteration that writes it. */
final class SubstituteTemporariesTest {

  private static final String TENSORS =
      """
      program test
      input x: float32[?]
      temporary t: float32[d(x, 0)]
      output y: float32[d(x, 0)]
      output z: float32[d(x, 0)]
      """;

  private static String substituted(String block) {
    return PassText.apply(new SubstituteTemporaries(), TENSORS, block);
  }

  private static void assertUnchanged(String block) {
    assertThat(substituted(block)).isEqualTo(PassText.blocks("f0", block));
  }

  @Test
  void sameIndex_isSubstituted() {
    assertThat(
            substituted(
                """
                for i0 in 0..d(x, 0)
                  t[i0] = exp(x[i0])
                  y[i0] = t[i0] + 1.0
                """))
        .contains("y[i0] = exp(x[i0]) + 1.0");
  }

  @Test
  void otherIndex_isNot() {
    assertUnchanged(
        """
        for i0 in 0..d(x, 0)
          t[i0] = exp(x[i0])
          y[i0] = t[i0 - 1] + 1.0
        """);
    assertUnchanged(
        """
        for i0 in 0..d(x, 0)
          t[i0] = exp(x[i0])
          y[i0] = t[i0] + t[0]
        """);
  }

  @Test
  void writeThatMayBeOutside_isNot() {
    assertUnchanged(
        """
        for i0 in 0..d(x, 0)
          t[i0 + 1] = exp(x[i0])
          y[i0] = t[i0 + 1]
        """);
  }

  @Test
  void sourceThatIsWrittenInBetween_isNot() {
    assertUnchanged(
        """
        for i0 in 0..d(x, 0)
          t[i0] = z[i0]
          z[0] = 0.0
          y[i0] = t[i0]
        """);
  }

  @Test
  void sumThatGoesOnInBetween_isNot() {
    assertUnchanged(
        """
        for i0 in 0..1
          carry c0 = sum float32
          for i1 in 0..d(x, 0)
            t[i1] = c0
            c0 << x[i1]
            y[i1] = t[i1]
        """);
  }

  @Test
  void indexThatIsReadAnew_isNot() {
    String declarations =
        """
        program test
        input x: float32[?]
        temporary t: float32[4]
        output k: int64[4]
        output y: float32[d(x, 0)]
        """;
    String block =
        """
        for i0 in 0..d(x, 0)
          t[k[0] - k[0]] = x[i0]
          k[0] = index(i0)
          y[i0] = t[k[0] - k[0]]
        """;

    assertThat(PassText.apply(new SubstituteTemporaries(), declarations, block))
        .isEqualTo(PassText.blocks("f0", block));
  }

  @Test
  void readsInsideOrOutsideTheLoop_areNot() {
    assertUnchanged(
        """
        for i0 in 0..d(x, 0)
          for i1 in 0..2
            y[i0] = t[i0]
          t[i0] = exp(x[i0])
        """);
    assertUnchanged(
        """
        for i0 in 0..d(x, 0)
          for i1 in 0..2
            t[i0] = exp(x[i0])
          y[i0] = t[i0]
        """);
  }

  @Test
  void ownValue_isNot() {
    assertUnchanged(
        """
        for i0 in 0..d(x, 0)
          t[i0] = t[i0] + x[i0]
          y[i0] = t[i0]
        """);
  }

  @Test
  void expensiveValueReadTwice_isKeptAsOneNumber() {
    String block =
        """
        for i0 in 0..d(x, 0)
          t[i0] = exp(x[i0])
          y[i0] = t[i0] + 1.0
          z[i0] = t[i0] * 2.0
        """;

    assertUnchanged(block);
    assertThat(PassText.apply(new ShrinkTemporaries(), TENSORS, block))
        .isEqualTo(
            PassText.blocks(
                "f0",
                """
                for i0 in 0..d(x, 0)
                  t![] = exp(x[i0])
                  y[i0] = t![] + 1.0
                  z[i0] = t![] * 2.0
                """));
  }

  @Test
  void temporaryReadInAnotherBlock_isNotShrunk() {
    String first =
        """
        for i0 in 0..d(x, 0)
          t[i0] = exp(x[i0])
          y[i0] = t[i0] + 1.0
        """;
    String second = "for i0 in 0..d(x, 0)\n  z[i0] = t[i0]\n";

    assertThat(PassText.apply(new ShrinkTemporaries(), TENSORS, first, second))
        .isEqualTo(PassText.blocks("f0", first, "f1", second));
  }
}
