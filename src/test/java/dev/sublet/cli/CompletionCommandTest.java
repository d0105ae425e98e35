package dev.sublet.cli;

import static com.google.common.truth.Truth.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.common.base.Splitter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script in a real bash. */
class CompletionCommandTest {

  @TempDir private Path folder;
  private Path script;

  @BeforeEach
  void writeScript() throws IOException {
    assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "skipped: there is no /bin/bash");
    CommandRun run = CommandRun.of("completion");
    assertThat(run.exitCode()).isEqualTo(0);
    assertThat(run.errors()).isEmpty();
    script = Files.write(folder.resolve("completion"), run.output());
  }

  /** What the last of these words can become. */
  private List<String> completions(String... words) throws IOException, InterruptedException {
    String typed = String.join("' '", words);
    String commands =
        "source %s; COMP_WORDS=('%s'); COMP_CWORD=%d; _complete_sublet; echo \"${COMPREPLY[*]}\""
            .formatted(script, typed, words.length - 1);
    Process bash =
        new ProcessBuilder("/bin/bash", "--norc", "-c", commands)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    String output = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(bash.waitFor()).isEqualTo(0);
    return Splitter.on(' ').omitEmptyStrings().trimResults().splitToList(output.strip());
  }

  @Test
  void fileNames_whereThereIsNothingElse() throws Exception {
    assertThat(completions("sublet", "plan", "model")).isEmpty();
    assertThat(Files.readString(script)).contains("complete -F _complete_sublet -o default");
    assertThat(Files.readString(script)).doesNotContain("compopt +o default");
  }

  @Test
  void verbs() throws Exception {
    assertThat(completions("sublet", "op")).containsExactly("optimize", "ops");
  }

  @Test
  void options() throws Exception {
    assertThat(completions("sublet", "plan", "--pl")).containsExactly("--place", "--planner");
  }

  @Test
  void words_ofOptionsThatHaveTheSameLabelInTheHelp() throws Exception {
    assertThat(completions("sublet", "plan", "--order", ""))
        .containsExactly("sequential", "parallel");
    assertThat(completions("sublet", "plan", "--buffer-order", "s"))
        .containsExactly("size", "start");
    assertThat(completions("sublet", "plan", "--planner", "nnc"))
        .containsExactly("nnc", "nnc-interference");
  }
}
