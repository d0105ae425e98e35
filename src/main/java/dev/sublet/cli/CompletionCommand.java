package dev.sublet.cli;

import com.google.common.base.Ascii;
import com.google.common.collect.ImmutableList;
import dev.sublet.cli.console.ExitCode;
import dev.sublet.cli.console.Streams;
import java.nio.charset.StandardCharsets;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Parameters;

/** {@code sublet completion}: prints a script that lets a shell complete command lines. */
@Command(
    name = "completion",
    header = "Print a script that completes command lines in bash, zsh and fish",
    description = {
      "Prints a script with which bash, zsh or fish completes verbs, options and their words; file"
          + " names are completed as usual."
    },
    footer = {
      "",
      "Examples:",
      "  source <(sublet completion)",
      "  sublet completion >/etc/bash_completion.d/sublet",
      "  sublet completion zsh >/usr/local/share/zsh/site-functions/_sublet",
      "  sublet completion fish >~/.config/fish/completions/sublet.fish",
    })
final class CompletionCommand implements Verb {

  /** A shell; zsh reads the script of bash, too, but only by {@code source}. */
  enum Shell {
    BASH,
    ZSH,
    FISH
  }

  private static final String NO_FILES = "  type compopt &>/dev/null && compopt +o default\n";

  private static final String REGISTRATION = "complete -F _complete_sublet ";

  /**
   * The completion function that is registered instead of the script's own one, which splits words
   * only at spaces.
   */
  private static final String SPLITTING =
      """
      # Takes --option=word apart, which is one word in zsh and three in bash.
      function _complete_sublet_words() {
        local at=$COMP_CWORD
        local prefix=
        if [[ "${COMP_WORDS[at]}" == --*=* ]]; then
          prefix="${COMP_WORDS[at]%%=*}="
          COMP_WORDS=("${COMP_WORDS[@]:0:$at}" "${prefix%=}" "${COMP_WORDS[at]#*=}")
          COMP_CWORD=$((at + 1))
        elif [[ "${COMP_WORDS[at]}" == "=" ]]; then
          COMP_WORDS=("${COMP_WORDS[@]:0:$at}" "")
        elif [[ $at -gt 1 && "${COMP_WORDS[at - 1]}" == "=" ]]; then
          COMP_WORDS=("${COMP_WORDS[@]:0:$((at - 1))}" "${COMP_WORDS[at]}")
          COMP_CWORD=$((at - 1))
        fi
        _complete_sublet
        if [ -n "$prefix" ]; then
          COMPREPLY=("${COMPREPLY[@]/#/$prefix}")
        fi
      }
      complete -F _complete_sublet_words\s""";

  /**
   * Completes the line at once if zsh has loaded the script for it, as the function {@code _sublet}
   * of a folder in {@code fpath}. Later lines go to the function that the script registers.
   */
  private static final String AUTOLOADED =
      """

      if [ "${funcstack[1]}" = _sublet ]; then
        _bash_complete -o default -F _complete_sublet_words
      fi
      """;

  private final Streams streams;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "SHELL",
      description = "The shell: bash, zsh or fish. Default: bash.")
  private Shell shell = Shell.BASH;

  CompletionCommand(Streams streams) {
    this.streams = streams;
  }

  @Override
  public int call() {
    CommandLine all = Main.commandLine(new String[0], streams);
    for (CommandLine verb : all.getSubcommands().values()) {
      describeWords(verb.getCommandSpec());
    }
    String script =
        switch (shell) {
          case BASH -> bash(all);
          case ZSH -> "#compdef sublet\n" + bash(all) + AUTOLOADED;
          case FISH -> FishCompletion.of(all);
        };
    streams.writeOutput(script.getBytes(StandardCharsets.UTF_8));
    return ExitCode.OK;
  }

  private static String bash(CommandLine all) {
    // Where the script has no suggestion, the shell completes file names, because the arguments of
    // verbs are files.
    return AutoComplete.bash("sublet", all).replace(NO_FILES, "").replace(REGISTRATION, SPLITTING);
  }

  private static void describeWords(CommandSpec spec) {
    for (OptionSpec option : ImmutableList.copyOf(spec.options())) {
      if (option.completionCandidates() != null) {
        spec.remove(option);
        spec.addOption(withWords(option));
      }
    }
    for (PositionalParamSpec argument : ImmutableList.copyOf(spec.positionalParameters())) {
      if (argument.completionCandidates() != null) {
        spec.remove(argument);
        spec.addPositional(
            PositionalParamSpec.builder(argument)
                .completionCandidates(words(argument.completionCandidates()))
                .build());
      }
    }
  }

  /**
   * Returns an option with its words as users write them. Its label is its name, since the script
   * has one list of words for all options with a common label.
   */
  private static OptionSpec withWords(OptionSpec option) {
    return OptionSpec.builder(option)
        .paramLabel(option.longestName())
        .completionCandidates(words(option.completionCandidates()))
        .build();
  }

  private static ImmutableList<String> words(Iterable<String> constants) {
    ImmutableList.Builder<String> words = ImmutableList.builder();
    for (String constant : constants) {
      words.add(Ascii.toLowerCase(constant));
    }
    return words.build();
  }
}
