package dev.sublet.offset;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import com.google.common.collect.ImmutableSet;
import dev.sublet.TranspileOptions;
import dev.sublet.Transpiler;
import dev.sublet.liveness.ObservationOptions;
import dev.sublet.offset.merge.Views;
import dev.sublet.plan.PathCoverBound;
import dev.sublet.program.Program;
import dev.sublet.testing.random.RandomPrograms;
import dev.sublet.testing.text.ProgramText;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What the path-cover planner guarantees, and of which programs. */
final class PathCoverGuaranteeTest {

  private static PathCoverBound bound(String... program) {
    return bound(ProgramText.parse(program), true);
  }

  private static PathCoverBound bound(Program program, boolean reuseFeeds) {
    OffsetOptions offsets = new OffsetOptions("path-cover", 64, /* inPlace= */ true, Views.ALL);
    TranspileOptions options =
        TranspileOptions.defaults()
            .withOffsets(offsets)
            .withObservation(
                new ObservationOptions(ImmutableSet.of(), ImmutableSet.of(), reuseFeeds));
    return Transpiler.plan(program, options).pathCoverBound().orElseThrow();
  }

  private static String straightLine(String... operators) {
    StringBuilder text = new StringBuilder("default fp32[16]\nblock 0\nfeed x: fp32[16]\n");
    for (String operator : operators) {
      text.append(operator).append('\n');
    }
    return text.toString();
  }

  @Test
  void aChain_isOnePath() {
    String chain = straightLine("a = tanh(x)", "b = tanh(a)", "c = tanh(b)", "fetch(c)");

    assertThat(bound(chain)).isEqualTo(new PathCoverBound(1, 2 * 64, ""));
  }

  /** A feed that keeps its value is read at the end, which takes a path beside the chain. */
  @Test
  void aFeedThatIsKept_isReadAtTheEnd() {
    String chain = straightLine("a = tanh(x)", "b = tanh(a)", "fetch(b)");

    assertThat(bound(ProgramText.parse(chain), /* reuseFeeds= */ false).paths()).isEqualTo(2);
  }

  /** Fuzzer, seed 31006: an internal error. Paths of the largest tensor exceed 64 bits. */
  @Test
  void guaranteeBeyond64Bits_isNone() {
    Program program =
        ProgramText.parse(
            "block 0",
            "feed x: fp32[2147483647, 134217728]",
            "feed y: fp32[1]",
            "feed z: fp32[1]",
            "feed w: fp32[1]",
            "var a: fp32[1]",
            "a = sum(x y z w)",
            "fetch(a)");

    assertThat(bound(program, /* reuseFeeds= */ false))
        .isEqualTo(PathCoverBound.none("the guaranteed size does not fit 64 bits"));
  }

  @Test
  void aResidualNetwork_isTwoPaths() {
    String network =
        straightLine(
            "a = tanh(x)",
            "b = tanh(a)",
            "c = elementwise_add(b, a)",
            "d = tanh(c)",
            "e = elementwise_add(d, c)",
            "fetch(e)");

    assertThat(bound(network)).isEqualTo(new PathCoverBound(2, 4 * 64, ""));
  }

  @Test
  void theLargestTensorIsPadded() {
    String program = "block 0\nfeed x: fp32[17]\nvar a: fp32[17]\na = tanh(x)\nfetch(a)\n";

    assertThat(bound(program).bytes()).isEqualTo(2 * 128);
  }

  @Test
  void severalOutputs_areOutsideTheTheorem() {
    String program =
        straightLine(
            "var h: fp32[8]",
            "var i: fp32[8]",
            "(Out: h i) = split(X: x) {num: 2, axis: 0}",
            "a = concat(h i) {axis: 0}",
            "fetch(a)");

    assertThat(bound(program).objection())
        .isEqualTo("'i' is one of several outputs of an operator 'split'");
  }

  @Test
  void aValueThatIsNeverRead_isOutsideTheTheorem() {
    String program = straightLine("a = tanh(x)", "b = tanh(x)", "fetch(b)");

    assertThat(bound(program).objection()).isEqualTo("'a' is never written, or never read");
  }

  @Test
  void loops_areOutsideTheTheorem() {
    assertThat(
            bound(
                    straightLine(
                        "var c: bool[1]",
                        "(Out: c) = fill_constant() {shape: [1L], dtype: 0, value: 1.0}",
                        "while(Condition: c, X: x) -> (Out: c) {sub_block: 1, is_test: true}",
                        "fetch(x)",
                        "block 1 parent 0",
                        "(Out: c) = less_than(X: x, Y: x)"))
                .objection())
        .isEqualTo("the program has branches or loops");
  }

  /** The planner throws if an arena exceeds what it guarantees. */
  @Test
  void randomDataFlows_keepTheGuarantee() {
    Random random = new Random(7);
    for (int round = 0; round < 100; round++) {
      int count = 2 + random.nextInt(25);
      boolean[] isRead = new boolean[count];
      String[] lines = new String[count];
      for (int i = 0; i < count; i++) {
        int a = i == 0 ? -1 : Math.max(0, i - 1 - random.nextInt(4));
        int b = i == 0 ? -1 : random.nextInt(i);
        lines[i] = "t" + i + " = elementwise_add(" + name(a) + ", " + name(b) + ")";
        if (i > 0) {
          isRead[a] = true;
          isRead[b] = true;
        }
      }
      StringBuilder fetches = new StringBuilder();
      for (int i = 0; i < count; i++) {
        fetches.append(isRead[i] ? "" : "fetch(t" + i + ")\n");
      }
      String program = straightLine(lines) + fetches;
      assertWithMessage(program).that(bound(program).objection()).isEmpty();
    }
  }

  private static String name(int operator) {
    return operator < 0 ? "x" : "t" + operator;
  }

  @Test
  void randomPrograms_keepTheGuarantee_ifTheyHaveOne() {
    for (int seed = 0; seed < 150; seed++) {
      PathCoverBound bound =
          bound(RandomPrograms.generateWithViews(seed, 3 + seed % 20), seed % 2 == 0);
      assertThat(bound.applies()).isEqualTo(bound.bytes() > 0);
    }
  }
}
