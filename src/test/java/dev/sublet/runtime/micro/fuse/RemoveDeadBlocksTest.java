package dev.sublet.runtime.micro.fuse;

import static com.google.common.truth.Truth.assertThat;
import static dev.sublet.runtime.micro.fuse.PassText.blocks;

import dev.sublet.runtime.micro.text.MicroProgramText;
import org.junit.jupiter.api.Test;

/** What no output needs goes, and nothing else. */
final class RemoveDeadBlocksTest {

  private static final String TENSORS =
      """
      program test
      input x: float32[?]
      temporary t: float32[d(x, 0)]
      temporary u: float32[d(x, 0)]
      output y: float32[d(x, 0)]
      """;

  private static String rest(String... blocks) {
    return PassText.apply(new RemoveDeadBlocks(), TENSORS, blocks);
  }

  @Test
  void deadStatement_leavesTheLiveOnesOfItsBlock() {
    assertThat(
            rest(
                """
                for i0 in 0..d(x, 0)
                  t[i0] = exp(x[i0])
                  y[i0] = x[i0]
                  u[i0] = t[i0]
                """))
        .isEqualTo(blocks("f0", "for i0 in 0..d(x, 0)\n  y[i0] = x[i0]\n"));
  }

  @Test
  void deadSum_takesItsLoopAlong() {
    assertThat(
            rest(
                """
                for i0 in 0..d(x, 0)
                  carry c0 = sum float32
                  for i1 in 0..d(x, 0)
                    c0 << x[i1]
                  t[i0] = c0
                  y[i0] = x[i0]
                """))
        .isEqualTo(blocks("f0", "for i0 in 0..d(x, 0)\n  y[i0] = x[i0]\n"));
  }

  @Test
  void chainToTheOutput_isLive() {
    String first = "for i0 in 0..d(x, 0)\n  t[i0] = exp(x[i0])\n";
    String second = "for i0 in 0..d(x, 0)\n  u[i0] = t[i0]\n";
    String last = "for i0 in 0..d(x, 0)\n  y[i0] = u[0]\n";

    assertThat(rest(first, second, last)).isEqualTo(blocks("f0", first, "f1", second, "f2", last));
  }

  @Test
  void overwrittenWhole_isDead() {
    String first = "for i0 in 0..d(x, 0)\n  y[i0] = exp(x[i0])\n";
    String whole = "for i0 in 0..d(x, 0)\n  y[i0] = x[i0]\n";
    String part = "for i0 in 1..d(x, 0)\n  y[i0] = x[i0]\n";
    String reversed = "for i0 in 0..d(x, 0)\n  y[d(x, 0) - 1 - i0] = x[i0]\n";

    assertThat(rest(first, whole)).isEqualTo(blocks("f1", whole));
    assertThat(rest(first, part)).isEqualTo(blocks("f0", first, "f1", part));
    // It is whole, but not plainly so.
    assertThat(rest(first, reversed)).isEqualTo(blocks("f0", first, "f1", reversed));
  }

  @Test
  void resetInFrontOfAnAccumulation_isLive() {
    String reset = "for i0 in 0..d(x, 0)\n  y[i0] = 0.0\n";
    String add = "for i0 in 0..d(x, 0)\n  y[i0] += x[i0]\n";

    assertThat(rest(reset, add)).isEqualTo(blocks("f0", reset, "f1", add));
  }

  @Test
  void ownOldValue_isLive() {
    String first = "for i0 in 0..d(x, 0)\n  y[i0] = exp(x[i0])\n";
    String next = "for i0 in 0..d(x, 0)\n  y[i0] = y[i0] + 1.0\n";

    assertThat(rest(first, next)).isEqualTo(blocks("f0", first, "f1", next));
  }

  @Test
  void temporaries_goWithTheirBlocks() {
    String program =
        new RemoveDeadBlocks()
            .apply(
                MicroProgramText.parse(
                    TENSORS + blocks("f", "for i0 in 0..d(x, 0)\n  t[i0] = exp(x[i0])\n")))
            .toString();

    assertThat(program).doesNotContain("temporary");
    assertThat(program).doesNotContain("function");
    assertThat(program).contains("input x");
  }
}
