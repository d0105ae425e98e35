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

  /** The first iteration would fail in the branch, but only the second one takes it. */
  @Test
  void branchOfALaterIteration_isPlanned() throws IOException {
    Path input = folder.resolve("in.textproto");
    Path file = Path.of("testdata", "shape", "late_branch.program");
    CommandRun.write(input, Files.readAllLines(file).toArray(new String[0]));
    CommandRun run = CommandRun.of("run", input, "--shape", "x=2,8", "--compare");
    assertWithMessage(run.text() + run.errors()).that(run.exitCode()).isEqualTo(0);
  }
}
