package dev.sublet.cli;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
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

  private static final String LATE_BRANCH =
      """
      default fp32[]
      block 0
        feed x: fp32[-1,8]
        feed one: fp32[1,8]
        var n: fp32[1]
        var limit: fp32[1]
        var c: bool[1]
        var t: fp32[]
        var u: fp32[]
        var i: int32[1]
        var k: int32[1]
        var w: bool[1]
        var f: bool[1]
        var mask: int32[1]
        n = reduce_max(X: x) {reduce_all: true, keep_dim: false}
        limit = fill_constant() {shape: [1], value: 1000.0, dtype: 5}
        c = less_than(X: n, Y: limit)
        i = fill_constant() {shape: [1], value: 0, dtype: 2}
        k = fill_constant() {shape: [1], value: 2, dtype: 2}
        w = less_than(X: i, Y: k)
        t = tanh(x)
        s = relu(one)
        while(X: t i k c one, Condition: w) -> (Out: t u i w, StepScopes: s2) {sub_block: 1}
        f = logical_not(c)
        mask = cast(f) {in_dtype: 0, out_dtype: 2}
        y = select_input(X: u s, Mask: mask)
        z = scale(y) {scale: 2.0}
        fetch(z)
      block 1 parent 0
        var b: bool[1]
        var g: bool[1]
        var one_i: int32[1]
        one_i = fill_constant() {shape: [1], value: 1, dtype: 2}
        g = equal(X: i, Y: one_i)
        b = logical_and(X: c, Y: g)
        conditional_block(Cond: b, Input: t) -> (Out: u, Scope: s1) {sub_block: 2, is_scalar_condition: true}
        t = concat(t one) {axis: 0}
        i = increment(i) {step: 1.0}
        w = less_than(X: i, Y: k)
      block 2 parent 1
        rows = fill_constant() {shape: [3,8], value: 1.0, dtype: 5}
        u = elementwise_add(t, rows)
      """;

  /** The first iteration would fail in the branch, but only the second one takes it. */
  @Test
  void branchOfALaterIteration_isPlanned() throws IOException {
    Path input = folder.resolve("in.textproto");
    CommandRun.write(input, LATE_BRANCH.split("\n"));
    CommandRun run = CommandRun.of("run", input, "--shape", "x=2,8", "--compare");
    assertWithMessage(run.text() + run.errors()).that(run.exitCode()).isEqualTo(0);
  }
}
