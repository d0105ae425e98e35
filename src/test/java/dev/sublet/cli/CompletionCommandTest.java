package dev.sublet.cli;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.common.base.Splitter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The script in a real bash and, where there is one, in a real zsh. */
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
        "source %s; COMP_WORDS=('%s'); COMP_CWORD=%d; _complete_sublet_words; echo \"${COMPREPLY[*]}\""
            .formatted(script, typed, words.length - 1);
    Process bash =
        new ProcessBuilder("/bin/bash", "--norc", "-c", commands)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    String output = new String(bash.getInputStream().readAllBytes(), UTF_8);
    assertThat(bash.waitFor()).isEqualTo(0);
    return Splitter.on(' ').omitEmptyStrings().trimResults().splitToList(output.strip());
  }

  @Test
  void fileNames_whereThereIsNothingElse() throws Exception {
    assertThat(completions("sublet", "plan", "model")).isEmpty();
    assertThat(Files.readString(script)).contains("complete -F _complete_sublet_words -o default");
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

  /** Bash has the sign as a word of its own, or not, as COMP_WORDBREAKS says. */
  @Test
  void words_behindAnEqualsSign() throws Exception {
    assertThat(completions("sublet", "plan", "--order", "="))
        .containsExactly("sequential", "parallel");
    assertThat(completions("sublet", "plan", "--planner", "=", "sea")).containsExactly("search");
    assertThat(completions("sublet", "plan", "--planner=sea")).containsExactly("--planner=search");
  }

  /**
   * Types a line into a zsh on a terminal of its own: the words that Sublet gets when Enter is
   * pressed. In the shell's folder there is a file {@code model one.pdmodel}.
   */
  private static final String TYPE =
      """
      zmodload zsh/zpty || exit 3
      export HOME=$PWD TERM=dumb
      zpty shell zsh -f -i
      zpty -w shell 'sublet() { print -rl -- "$@" >words.new; mv words.new words }'
      zpty -w shell "$2; touch ready"
      await() {
        for (( i = 0; i < 600; i++ )); do
          zpty -r -t shell seen >/dev/null
          [[ -e $1 ]] && return
          sleep 0.05
        done
        print -u2 "waited for $1"
        exit 4
      }
      await ready
      zpty -w -n shell $1
      await words
      zpty -d shell
      cat words
      """;

  /** Takes the line, and the commands by which zsh gets to know the script {@code _sublet}. */
  private List<String> typedIntoZsh(String line, String setup)
      throws IOException, InterruptedException {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/zsh")), "skipped: there is no /usr/bin/zsh");
    Path typing = Files.createTempDirectory(folder, "zsh");
    Files.write(typing.resolve("_sublet"), CommandRun.of("completion", "zsh").output());
    Files.createFile(typing.resolve("model one.pdmodel"));
    Process zsh =
        new ProcessBuilder("/usr/bin/zsh", "-f", "-c", TYPE, "type", line + "\n", setup)
            .directory(typing.toFile())
            .redirectErrorStream(true)
            .start();
    String output = new String(zsh.getInputStream().readAllBytes(), UTF_8);
    assertWithMessage(output).that(zsh.waitFor()).isEqualTo(0);
    return output.lines().toList();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "source ./_sublet",
        "fpath=($PWD $fpath); autoload -U compinit; compinit -D",
      })
  void zsh_completesVerbsOptionsWordsAndFiles(String setup) throws Exception {
    assertThat(typedIntoZsh("sublet opt\t", setup)).containsExactly("optimize");
    assertThat(typedIntoZsh("sublet plan mod\t --ord\t par\t --report mo\t", setup))
        .containsExactly(
            "plan", "model one.pdmodel", "--order", "parallel", "--report", "model one.pdmodel")
        .inOrder();
    assertThat(typedIntoZsh("sublet plan --place=g\t m\t", setup))
        .containsExactly("plan", "--place=gpu", "model one.pdmodel")
        .inOrder();
    // Where a word could become several, what they have in common is filled in.
    assertThat(typedIntoZsh("sublet check --max\t", setup))
        .containsExactly("check", "--max-")
        .inOrder();
  }

  /** What fish offers for the last word; fish is asked where there is one. */
  private List<String> fish(String line) throws IOException, InterruptedException {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/fish")), "skipped: there is no /usr/bin/fish");
    Path fish = Files.write(folder.resolve("sublet.fish"), fishScript().getBytes(UTF_8));
    Files.createFile(folder.resolve("model.pdmodel"));
    ProcessBuilder builder =
        new ProcessBuilder(
            "/usr/bin/fish", "-N", "-c", "source $argv[1]; complete -C $argv[2]", fish + "", line);
    builder.environment().put("HOME", folder.toString());
    Process process = builder.directory(folder.toFile()).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertWithMessage(output).that(process.waitFor()).isEqualTo(0);
    return output.lines().map(offer -> offer.replaceFirst("\t.*", "")).toList();
  }

  private static String fishScript() {
    CommandRun run = CommandRun.of("completion", "fish");
    assertThat(run.exitCode()).isEqualTo(0);
    return run.text();
  }

  @ParameterizedTest
  @CsvSource({
    "sublet op, optimize ops",
    "sublet plan --pl, --place --planner",
    "sublet plan --order '', sequential parallel",
    "sublet plan mod, model.pdmodel",
    "sublet plan --report mod, model.pdmodel",
    "sublet completion z, zsh",
  })
  void fish_completesVerbsOptionsWordsAndFiles(String line, String offers) throws Exception {
    assertThat(fish(line.replace("''", "")))
        .containsExactlyElementsIn(Splitter.on(' ').split(offers));
  }

  @Test
  void fish_hasALineForEachVerbAndOption() {
    List<String> lines = fishScript().lines().toList();

    assertThat(lines)
        .contains(
            "complete -c sublet -n '__fish_seen_subcommand_from completion' -f -a 'bash zsh fish'"
                + " -d 'The shell: bash, zsh or fish.'");
    for (String line : lines) {
      assertThat(line).matches("complete -c sublet -n '[^']*' -.* -d '.*'");
    }
  }
}
