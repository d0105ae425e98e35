package dev.sublet.cli;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import com.google.common.base.Splitter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Programs with a condition that seems to be known, in {@code testdata/conditions/*.program}. Each
 * program, rewritten for the shapes of one run, is right for another batch, and needs no more bytes
 * than its plan has.
 */
final class KnownConditionsTest {

  @TempDir Path folder = Path.of("");

  static List<Path> programs() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("testdata", "conditions"))) {
      return files.sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("programs")
  void program_isRightForEveryRun(Path file) throws IOException {
    Path input = folder.resolve("in.textproto");
    Path output = folder.resolve("out.textproto");
    CommandRun.write(input, Files.readAllLines(file).toArray(new String[0]));

    assertThat(CommandRun.of("optimize", input, "-o", output, "-q").exitCode()).isEqualTo(0);

    for (String batch : new String[] {"1", "4"}) {
      CommandRun verified = CommandRun.of("verify", input, output, "--batch", batch);
      assertWithMessage(verified.text()).that(verified.exitCode()).isEqualTo(0);
    }
    CommandRun run = CommandRun.of("run", input, "--compare");
    assertWithMessage(run.text() + run.errors()).that(run.exitCode()).isEqualTo(0);
  }

  /** A branch that three rows of x take, and no other number of rows but one. */
  private static final String BRANCH_THAT_REJECTS_SHAPES =
      """
      default fp32[]
      block 0
        feed x: fp32[-1,8]
        var c: bool[1]
        var v: fp32[-1,8]
        var kept: fp32[-1,8]
        low = fill_constant() {shape: [1], value: LOW, dtype: 5}
        m = reduce_mean(x) {reduce_all: true}
        c = less_than(X: m, Y: low)
        v = relu(x)
        a = tanh(v)
        conditional_block(Cond: c, Input: x) -> (Out: v kept, Scope: s1) {sub_block: 1, is_scalar_condition: true}
        b = sigmoid(x)
        z = elementwise_add(v, a)
        q = elementwise_mul(z, b)
        fetch(q)
      block 1 parent 0
        var inner: fp32[-1,8]
        rows = fill_constant() {shape: [3,8], value: 1.0, dtype: 5}
        conditional_block(Cond: c, Input: x) -> (Out: inner, Scope: s2) {sub_block: 2, is_scalar_condition: true}
        kept = elementwise_add(x, rows)
        v = tanh(kept)
      block 2 parent 1
        inner = relu(x)
      """;

  @ParameterizedTest
  @CsvSource({"-9.0, 1 3 5, 1 3 4", "9.0, 1 3, 1 3"})
  void branchThatRejectsTheGivenShapes_isRightForOthers(String low, String given, String others)
      throws IOException {
    Path input = folder.resolve("in.textproto");
    Path output = folder.resolve("out.textproto");
    String text = BRANCH_THAT_REJECTS_SHAPES.replace("LOW", low);
    CommandRun.write(input, text.lines().toArray(String[]::new));
    for (String rows : Splitter.on(' ').split(given)) {
      String shape = "x=" + rows + ",8";
      CommandRun rewriting = CommandRun.of("optimize", input, "-o", output, "--shape", shape);
      assertWithMessage(rewriting.errors()).that(rewriting.exitCode()).isEqualTo(0);

      CommandRun planned = CommandRun.of("plan", input, "--shape", shape, "--json");
      assertThat(planned.text()).contains("\"not_planned\": 0\n");
      CommandRun run = CommandRun.of("run", input, "--shape", shape, "--compare");
      assertWithMessage(run.text() + run.errors()).that(run.exitCode()).isEqualTo(0);
      for (String other : Splitter.on(' ').split(others)) {
        CommandRun original = CommandRun.of("run", input, "--shape", "x=" + other + ",8");
        CommandRun rewritten = CommandRun.of("run", output, "--shape", "x=" + other + ",8");
        assertWithMessage(original.errors()).that(original.exitCode()).isEqualTo(0);
        assertThat(rewritten.text()).isEqualTo(original.text());
      }
    }
  }
}
