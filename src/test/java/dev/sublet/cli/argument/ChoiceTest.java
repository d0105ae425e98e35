package dev.sublet.cli.argument;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;

import dev.sublet.cli.CommandRun;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Options whose values are words. */
class ChoiceTest {

  @TempDir private Path folder;
  private Path input;

  @BeforeEach
  void writeInput() throws IOException {
    input =
        CommandRun.write(
            folder.resolve("in"), "block 0", "feed x: fp32[2]", "y = relu(x)", "fetch(y)");
  }

  @ParameterizedTest
  @CsvSource({
    "--loops, copy",
    "--loops, multiview",
    "--loops, smallest",
    "--loops, unroll",
    "--views, none",
    "--views, reshape",
    "--views, all",
    "--order, sequential",
    "--order, parallel",
    "--buffer-order, size",
    "--buffer-order, conflicts",
    "--place, cpu",
    "--place, gpu",
  })
  void wordsAreInLowerCase(String option, String word) {
    CommandRun run = CommandRun.of("plan", input, option, word);

    assertWithMessage(run.errors()).that(run.exitCode()).isEqualTo(0);
  }

  @Test
  void anotherWord_isRefusedWithThoseThatThereAre() {
    CommandRun run = CommandRun.of("plan", input, "--loops", "rotate");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.errors())
        .contains("'rotate' is not a valid word; the words are: copy, multiview, smallest, unroll");
  }

  /** Help names only words that are accepted. */
  @ParameterizedTest
  @CsvSource({"plan, MULTIVIEW", "plan, RESHAPE", "plan, SEQUENTIAL"})
  void help_isInLowerCaseToo(String verb, String constant) {
    assertThat(CommandRun.of(verb, "--help").text()).doesNotContain(constant);
  }
}
