package dev.sublet.runtime.micro.fuse;

import static com.google.common.truth.Truth.assertThat;
import static dev.sublet.runtime.micro.fuse.PassText.blocks;

import com.google.common.collect.Iterables;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.text.MicroProgramText;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which blocks fuse, and which must not. */
final class MergeBlocksTest {

  private static final String CUBE =
      """
      program test
      input x: float32[10, 5, 2]
      """;

  private static final String VECTORS =
      """
      program test
      input x: float32[?]
      output a: float32[d(x, 0)]
      output b: float32[d(x, 0)]
      output c: float32[d(x, 0)]
      """;

  private static String merged(String declarations, String... blocks) {
    return PassText.apply(new MergeBlocks(), declarations, blocks);
  }

  @Test
  void documentsExample_carriedVariables_doNotFuse() {
    String rows =
        """
        for i0 in 0..10
          for i1 in 2..5
            carry c0 = sum float32
            for i2 in 0..2
              c0 << x[i0, i1, i2]
            y[i0, i1] = c0
        """;
    String columns =
        """
        for i0 in 0..10
          for i1 in 0..2
            carry c0 = sum float32
            for i2 in 2..5
              c0 << x[i0, i2, i1]
            z[i0, i1] = c0
        """;
    String declarations = CUBE + "output y: float32[10, 5]\noutput z: float32[10, 2]\n";

    assertThat(merged(declarations, rows, columns)).isEqualTo(blocks("f0", rows, "f1", columns));
  }

  @Test
  void documentsExample_accumulationInTensors_fuses() {
    String declarations = CUBE + "output y: float32[10, 5]\noutput z: float32[10, 2]\n";

    assertThat(
            merged(
                declarations,
                """
                for i0 in 0..10
                  for i1 in 2..5
                    for i2 in 0..2
                      y[i0, i1] += x[i0, i1, i2]
                """,
                """
                for i0 in 0..10
                  for i1 in 0..2
                    for i2 in 2..5
                      z[i0, i1] += x[i0, i2, i1]
                """))
        .isEqualTo(
            blocks(
                "f1",
                """
                for i0 in 0..10
                  for i1 in 2..5
                    for i2 in 0..2
                      y[i0, i1] += x[i0, i1, i2]
                      z[i0, i2] += x[i0, i1, i2]
                """));
  }

  @Test
  void accumulationOverTwoLoops_isNotReordered() {
    String declarations = CUBE + "output y: float32[10, 5, 2]\noutput z: float32[10]\n";
    String copy =
        """
        for i0 in 0..10
          for i1 in 0..5
            for i2 in 0..2
              y[i0, i1, i2] = x[i0, i1, i2]
        """;
    String sum =
        """
        for i0 in 0..2
          for i1 in 0..5
            for i2 in 0..10
              z[i2] += y[i2, i1, i0]
        """;

    // The sum's order is kept; it is the copy that takes on another.
    assertThat(merged(declarations, copy, sum))
        .isEqualTo(
            blocks(
                "f1",
                """
                for i0 in 0..2
                  for i1 in 0..5
                    for i2 in 0..10
                      y[i2, i1, i0] = x[i2, i1, i0]
                      z[i2] += y[i2, i1, i0]
                """));
  }

  @Test
  void accumulationsInDifferentOrders_doNotFuse() {
    String declarations = CUBE + "output y: float32[10]\noutput z: float32[10]\n";
    String inner =
        """
        for i0 in 0..10
          for i1 in 0..5
            for i2 in 0..2
              y[i0] += x[i0, i1, i2]
        """;
    String outer =
        """
        for i0 in 0..10
          for i1 in 0..2
            for i2 in 0..5
              z[i0] += x[i0, i2, i1]
        """;

    assertThat(merged(declarations, inner, outer)).isEqualTo(blocks("f0", inner, "f1", outer));
  }

  @Test
  void reversal_doesNotFuseWithWhatItReverses() {
    String copy = "for i0 in 0..d(x, 0)\n  a[i0] = x[i0]\n";
    String reverse = "for i0 in 0..d(x, 0)\n  b[i0] = a[d(x, 0) - 1 - i0]\n";

    assertThat(merged(VECTORS, copy, reverse)).isEqualTo(blocks("f0", copy, "f1", reverse));
  }

  @Test
  void earlierElement_doesNotFuse() {
    String copy = "for i0 in 0..d(x, 0)\n  a[i0] = x[i0]\n";
    String next = "for i0 in 0..d(x, 0)\n  b[i0] = a[i0 + 1]\n";

    assertThat(merged(VECTORS, copy, next)).isEqualTo(blocks("f0", copy, "f1", next));
  }

  @Test
  void writeAfterRead_ofAnotherElement_doesNotFuse() {
    String read = "for i0 in 0..d(x, 0)\n  b[i0] = a[i0 - 1]\n";
    String write = "for i0 in 0..d(x, 0)\n  a[i0] = x[i0]\n";

    assertThat(merged(VECTORS, read, write)).isEqualTo(blocks("f0", read, "f1", write));
  }

  @Test
  void writeAfterRead_ofTheSameElement_fuses() {
    assertThat(
            merged(
                VECTORS,
                "for i0 in 0..d(x, 0)\n  b[i0] = a[i0]\n",
                "for i0 in 0..d(x, 0)\n  a[i0] = x[i0]\n"))
        .isEqualTo(blocks("f1", "for i0 in 0..d(x, 0)\n  b[i0] = a[i0]\n  a[i0] = x[i0]\n"));
  }

  @Test
  void writeAfterWrite_ofAnotherElement_doesNotFuse() {
    String first = "for i0 in 0..d(x, 0)\n  a[i0] = x[i0]\n";
    String second = "for i0 in 0..d(x, 0)\n  a[0] = x[i0]\n";

    assertThat(merged(VECTORS, first, second)).isEqualTo(blocks("f0", first, "f1", second));
  }

  @Test
  void scatteredElements_mayBeAnyAndDoNotFuse() {
    String declarations =
        """
        program test
        input x: float32[?]
        input k: int64[d(x, 0)]
        output j: int64[d(x, 0)]
        output y: float32[d(x, 0)]
        """;
    String scatter = "for i0 in 0..d(x, 0)\n  y[k[i0]] = x[i0]\n";
    String add = "for i0 in 0..d(x, 0)\n  y[k[i0]] += x[i0]\n";

    assertThat(merged(declarations, scatter, add)).isEqualTo(blocks("f0", scatter, "f1", add));
  }

  @Test
  void sum_isReadOnlyOutsideTheLoopThatSums() {
    String declarations =
        """
        program test
        input x: float32[?, ?]
        output s: float32[d(x, 0)]
        output y: float32[d(x, 0), d(x, 1)]
        """;
    String sum =
        """
        for i0 in 0..d(x, 0)
          carry c0 = sum float32
          for i1 in 0..d(x, 1)
            c0 << x[i0, i1]
          s[i0] = c0
        """;
    String difference =
        """
        for i0 in 0..d(x, 0)
          for i1 in 0..d(x, 1)
            y[i0, i1] = x[i0, i1] - s[i0]
        """;

    assertThat(merged(declarations, sum, difference))
        .isEqualTo(blocks("f0", sum, "f1", difference));
  }

  @Test
  void accumulatedElement_isReadAfterItsLoop() {
    String declarations =
        """
        program test
        input x: float32[?, ?]
        output s: float32[d(x, 0)]
        output y: float32[d(x, 0)]
        """;

    assertThat(
            merged(
                declarations,
                """
                for i0 in 0..d(x, 0)
                  for i1 in 0..d(x, 1)
                    s[i0] += x[i0, i1]
                """,
                """
                for i0 in 0..d(x, 0)
                  y[i0] = exp(s[i0])
                """))
        .isEqualTo(
            blocks(
                "f1",
                """
                for i0 in 0..d(x, 0)
                  for i1 in 0..d(x, 1)
                    s[i0] += x[i0, i1]
                  y[i0] = exp(s[i0])
                """));
  }

  @Test
  void reset_isNotMovedBehindWhatItResets() {
    String declarations =
        """
        program test
        input x: float32[?, ?]
        output s: float32[d(x, 0)]
        """;
    String reset = "for i0 in 0..d(x, 0)\n  s[i0] = 0.0\n";
    String add =
        """
        for i0 in 0..d(x, 0)
          for i1 in 0..d(x, 1)
            s[i0] += x[i0, i1]
        """;

    assertThat(merged(declarations, reset, add)).isEqualTo(blocks("f0", reset, "f1", add));
  }

  @Test
  void blockInBetweenThatIsRead_mergesToTheRight() {
    String declarations =
        """
        program test
        input x: float32[?]
        output a: float32[d(x, 0)]
        output s: float32[4]
        output b: float32[d(x, 0)]
        """;
    String first = "for i0 in 0..d(x, 0)\n  a[i0] = exp(x[i0])\n";
    String reset = "for i0 in 0..4\n  s[i0] = 0.0\n";
    String second = "for i0 in 0..d(x, 0)\n  b[i0] = a[i0] + s[0]\n";

    assertThat(merged(declarations, first, reset, second))
        .isEqualTo(
            blocks(
                "f1",
                reset,
                "f2",
                "for i0 in 0..d(x, 0)\n  a[i0] = exp(x[i0])\n  b[i0] = a[i0] + s[0]\n"));
  }

  @Test
  void blocksInBetween_goToBothSides() {
    String declarations =
        """
        program test
        input x: float32[?]
        output a: float32[d(x, 0)]
        output s: float32[4]
        output t: float32[5]
        output b: float32[d(x, 0)]
        """;
    String first = "for i0 in 0..d(x, 0)\n  a[i0] = exp(x[i0])\n";
    String reset = "for i0 in 0..4\n  s[i0] = 0.0\n";
    String after = "for i0 in 0..5\n  t[i0] = a[i0]\n";
    String second = "for i0 in 0..d(x, 0)\n  b[i0] = a[i0] + s[0]\n";

    assertThat(merged(declarations, first, reset, after, second))
        .isEqualTo(
            blocks(
                "f1",
                reset,
                "f3",
                "for i0 in 0..d(x, 0)\n  a[i0] = exp(x[i0])\n  b[i0] = a[i0] + s[0]\n",
                "f2",
                after));
  }

  @Test
  void blockInBetweenOnThePath_keepsBothApart() {
    String declarations =
        """
        program test
        input x: float32[?]
        output a: float32[d(x, 0)]
        output s: float32[4]
        output b: float32[d(x, 0)]
        """;
    String first = "for i0 in 0..d(x, 0)\n  a[i0] = exp(x[i0])\n";
    String between = "for i0 in 0..4\n  s[i0] = a[i0]\n";
    String second = "for i0 in 0..d(x, 0)\n  b[i0] = a[i0] + s[0]\n";

    assertThat(merged(declarations, first, between, second))
        .isEqualTo(blocks("f0", first, "f1", between, "f2", second));
  }

  @Test
  void sumOfAll_takesItsProducerInsideItsSingleLoop() {
    String declarations =
        """
        program test
        input x: float32[?]
        output a: float32[d(x, 0)]
        output s: float32[1]
        """;

    assertThat(
            merged(
                declarations,
                "for i0 in 0..d(x, 0)\n  a[i0] = exp(x[i0])\n",
                """
                for i1 in 0..1
                  carry c0 = sum float32
                  for i0 in 0..d(x, 0)
                    c0 << a[i0]
                  s[0] = c0
                """))
        .isEqualTo(
            blocks(
                "f1",
                """
                for i1 in 0..1
                  carry c0 = sum float32
                  for i0 in 0..d(x, 0)
                    a[i0] = exp(x[i0])
                    c0 << a[i0]
                  s[0] = c0
                """));
  }

  @Test
  void transposedReader_reordersItsLoops() {
    String declarations =
        """
        program test
        input x: float32[?, ?]
        output a: float32[d(x, 0), d(x, 1)]
        output b: float32[d(x, 1), d(x, 0)]
        """;

    assertThat(
            merged(
                declarations,
                """
                for i0 in 0..d(x, 0)
                  for i1 in 0..d(x, 1)
                    a[i0, i1] = exp(x[i0, i1])
                """,
                """
                for i0 in 0..d(x, 1)
                  for i1 in 0..d(x, 0)
                    b[i0, i1] = a[i1, i0]
                """))
        .isEqualTo(
            blocks(
                "f1",
                """
                for i0 in 0..d(x, 0)
                  for i1 in 0..d(x, 1)
                    a[i0, i1] = exp(x[i0, i1])
                    b[i1, i0] = a[i0, i1]
                """));
  }

  @Test
  void squareTranspose_isMatchedByTheElements() {
    String declarations =
        """
        program test
        input x: float32[3, 3]
        output a: float32[3, 3]
        output b: float32[3, 3]
        """;

    assertThat(
            merged(
                declarations,
                """
                for i0 in 0..3
                  for i1 in 0..3
                    a[i0, i1] = exp(x[i0, i1])
                """,
                """
                for i0 in 0..3
                  for i1 in 0..3
                    b[i0, i1] = a[i1, i0]
                """))
        .isEqualTo(
            blocks(
                "f1",
                """
                for i0 in 0..3
                  for i1 in 0..3
                    a[i0, i1] = exp(x[i0, i1])
                    b[i1, i0] = a[i0, i1]
                """));
  }

  @Test
  void partialSums_areNotReordered() {
    String declarations =
        """
        program test
        input x: float32[?, ?]
        output a: float32[d(x, 0), d(x, 1)]
        output b: float32[d(x, 0), d(x, 1)]
        """;
    String copy =
        """
        for i0 in 0..1
          for i1 in 0..d(x, 0)
            for i2 in 0..d(x, 1)
              a[i1, i2] = exp(x[i1, i2])
        """;
    String partial =
        """
        for i0 in 0..1
          carry c0 = sum float32
          for i1 in 0..d(x, 1)
            for i2 in 0..d(x, 0)
              c0 << a[i2, i1]
              b[i2, i1] = c0
        """;

    // It is the copy, of which the order does not matter, that is reordered.
    assertThat(merged(declarations, copy, partial))
        .isEqualTo(
            blocks(
                "f1",
                """
                for i0 in 0..1
                  carry c0 = sum float32
                  for i1 in 0..d(x, 1)
                    for i2 in 0..d(x, 0)
                      a[i2, i1] = exp(x[i2, i1])
                      c0 << a[i2, i1]
                      b[i2, i1] = c0
                """));
  }

  @Test
  void refusal_namesTheTensorAndTheReason() {
    MicroProgram program =
        MicroProgramText.parse(
            VECTORS
                + """
                function first
                  block
                    for i0 in 0..d(x, 0)
                      a[i0] = exp(x[i0])
                function second
                  block
                    for i0 in 0..d(x, 0)
                      b[i0] = a[d(x, 0) - 1 - i0]
                """);

    List<Refusal> refusals = MergeBlocks.merge(program).refusals();

    assertThat(Iterables.getOnlyElement(refusals))
        .isEqualTo(new Refusal("first", "second", "a", "a would be touched in another order"));
  }
}
