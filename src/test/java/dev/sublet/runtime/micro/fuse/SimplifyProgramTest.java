package dev.sublet.runtime.micro.fuse;

import static com.google.common.truth.Truth.assertThat;
import static dev.sublet.runtime.micro.fuse.PassText.blocks;

import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.text.MicroProgramText;
import org.junit.jupiter.api.Test;

/** Extents, single loops, inputs, and the passes together. */
final class SimplifyProgramTest {

  @Test
  void equalExtents_areSpelledAlike() {
    String declarations =
        """
        program test
        input x: float32[?, ?]
        input y: float32[?]
        input z: float32[3, d(x, 0)]
        temporary t: float32[d(y, 0) * d(x, 0)]
        temporary u: float32[d(t, 0), d(z, 0)]
        output o: float32[d(u, 0), d(u, 1)]
        require d(x, 1) = d(y, 0) + 1
        """;

    assertThat(
            PassText.apply(
                new UnifyExtents(),
                declarations,
                """
                for i0 in 0..d(u, 0)
                  for i1 in 0..d(z, 0)
                    o[i0, i1] = z[i1, 0] + z[d(z, 0) - 1, 0]
                """,
                """
                for i0 in 0..d(z, 1) * d(x, 1) - d(x, 0)
                  for i1 in 0..d(x, 0)
                    o[i0, 0] += x[i1, d(y, 0)] * y[i1]
                """))
        .isEqualTo(
            blocks(
                "f0",
                """
                for i0 in 0..d(y, 0) * d(x, 0)
                  for i1 in 0..3
                    o[i0, i1] = z[i1, 0] + z[2, 0]
                """,
                "f1",
                """
                for i0 in 0..d(y, 0) * d(x, 0)
                  for i1 in 0..d(x, 0)
                    o[i0, 0] += x[i1, d(y, 0)] * y[i1]
                """));
  }

  @Test
  void extentsThatAreNotRequiredEqual_stayApart() {
    String declarations =
        """
        program test
        input x: float32[?]
        input y: float32[?]
        output a: float32[d(x, 0)]
        output b: float32[d(y, 0)]
        """;
    String first = "for i0 in 0..d(x, 0)\n  a[i0] = x[i0]\n";
    String second = "for i0 in 0..d(y, 0)\n  b[i0] = y[i0]\n";

    assertThat(PassText.apply(new MergeBlocks(), declarations, first, second))
        .isEqualTo(blocks("f0", first, "f1", second));
    assertThat(
            PassText.apply(
                new MergeBlocks(), declarations + "require d(x, 0) = d(y, 0)\n", first, second))
        .isEqualTo(blocks("f1", "for i0 in 0..d(x, 0)\n  a[i0] = x[i0]\n  b[i0] = y[i0]\n"));
  }

  @Test
  void quotients_areEqualIfTheirPartsAre() {
    String declarations =
        """
        program test
        parameter $s: int64
        input x: float32[?]
        input y: float32[?]
        output a: float32[(d(x, 0) - 1) / $s]
        require d(x, 0) = d(y, 0) * 2
        """;
    String first = "for i0 in 0..(d(x, 0) - 1) / $s\n  a[i0] = x[i0]\n";
    String second = "for i0 in 0..(d(y, 0) + d(y, 0) - 1) / $s\n  a[i0] += y[i0]\n";

    assertThat(PassText.apply(new MergeBlocks(), declarations, first, second))
        .isEqualTo(
            blocks("f1", "for i0 in 0..(d(x, 0) - 1) / $s\n  a[i0] = x[i0]\n  a[i0] += y[i0]\n"));
  }

  @Test
  void singleLoops_areDropped() {
    String declarations =
        """
        program test
        input x: float32[?, 1]
        output y: float32[d(x, 0), 1]
        """;

    assertThat(
            PassText.apply(
                new RemoveUnitLoops(),
                declarations,
                """
                for i0 in 0..1
                  for i1 in 0..d(x, 0)
                    for i2 in i0..d(x, 1) + i0
                      carry c0 = sum float32
                      for i3 in 0..5
                        c0 << x[i1, i2]
                      y[i1, i2] = c0
                    y[i1, 0] += 1.0
                """))
        .isEqualTo(
            blocks(
                "f0",
                """
                for i1 in 0..d(x, 0)
                  carry c0 = sum float32
                  for i3 in 0..5
                    c0 << x[i1, 0]
                  y[i1, 0] = c0
                  y[i1, 0] += 1.0
                """));
  }

  @Test
  void singleLoopThatFolds_isKept() {
    String declarations =
        """
        program test
        input x: float32[?, 1]
        output y: float32[d(x, 0)]
        """;
    String block =
        """
        for i0 in 0..d(x, 0)
          carry c0 = sum float32
          for i1 in 0..1
            c0 << x[i0, 0]
          y[i0] = c0
        """;

    assertThat(PassText.apply(new RemoveUnitLoops(), declarations, block))
        .isEqualTo(blocks("f0", block));
  }

  @Test
  void inputsNoLongerRead_stayUnlessTheyAreToGo() {
    MicroProgram program =
        MicroProgramText.parse(
            """
            program test
            input x: float32[?]
            input y: float32[?]
            input z: float32[?]
            temporary t: float32[d(x, 0)]
            output o: float32[d(x, 0)]
            require d(x, 0) = d(y, 0)
            require d(x, 0) = d(z, 0)
            function t
              block
                for i0 in 0..d(x, 0)
                  t[i0] = x[i0] * y[i0]
            function o
              block
                for i0 in 0..d(x, 0)
                  o[i0] = y[i0] + z[i0]
            """);

    Simplified kept = SimplifyProgram.simplify(program);
    Simplified dropped = SimplifyProgram.simplify(program, /* dropUnusedInputs= */ true);

    assertThat(kept.requiredInputs()).containsExactly("y", "z").inOrder();
    assertThat(kept.measuredInputs()).containsExactly("y");
    assertThat(kept.program().tensors()).hasSize(4);
    // That y and z are equally long was required through x.
    assertThat(dropped.program().toString())
        .isEqualTo(
            """
            program test
            input y: float32[?]
            input z: float32[?]
            output o: float32[d(y, 0)]
            require d(y, 0) = d(z, 0)
            function o
              block
                for i0 in 0..d(y, 0)
                  o![i0] = y![i0] + z![i0]
            """);
  }

  @Test
  void gradientOfExp_needsNoInputButTheOutputsGradientAndTheOutput() {
    MicroProgram program =
        MicroProgramText.parse(
            """
            program exp_grad
            input dy: float32[?]
            input x: float32[?]
            input y: float32[?]
            temporary zero: float32[d(x, 0)]
            output dx: float32[d(x, 0)]
            require d(x, 0) = d(y, 0)
            require d(dy, 0) = d(y, 0)
            function forward
              block
                for i0 in 0..d(x, 0)
                  zero[i0] = exp(x[i0])
            function reset
              block
                for i0 in 0..d(x, 0)
                  dx[i0] = 0.0
            function backward
              block
                for i0 in 0..d(x, 0)
                  dx[i0] += dy[i0] * y[i0]
            """);

    Simplified simplified = SimplifyProgram.simplify(program);

    assertThat(simplified.requiredInputs()).containsExactly("dy", "y");
    assertThat(PassText.functions(simplified.program()))
        .isEqualTo(
            blocks(
                "backward",
                """
                for i0 in 0..d(dy, 0)
                  dx![i0] = 0.0
                  dx![i0] += dy![i0] * y![i0]
                """));
  }

  @Test
  void simplifying_again_changesNothing() {
    for (MicroProgram program :
        new MicroProgram[] {
          Networks.matmul(), Networks.convolution(), Networks.softmax(), Networks.layerNorm()
        }) {
      MicroProgram once = SimplifyProgram.simplify(program).program();

      assertThat(SimplifyProgram.simplify(once).program()).isEqualTo(once);
    }
  }

  @Test
  void emptyProgram_staysEmpty() {
    MicroProgram program = MicroProgramText.parse("program nothing\ninput x: float32[?]\n");

    assertThat(SimplifyProgram.simplify(program).program()).isEqualTo(program);
  }
}
