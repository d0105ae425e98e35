package dev.sublet.cli;

import static com.google.common.truth.Truth.assertThat;
import static com.google.common.truth.Truth.assertWithMessage;
import static picocli.CommandLine.Help.Ansi.OFF;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.sublet.cli.console.OptionGroup;
import dev.sublet.cli.console.OutputPipe;
import dev.sublet.cli.console.Progress;
import dev.sublet.cli.console.Streams;
import dev.sublet.cli.console.Terminal;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** The help texts: their widths, their groups of options, and that words stay whole. */
class HelpTest {

  private static CommandLine commandLine(int width) {
    PrintStream nowhere =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    Streams streams =
        new Streams(
            InputStream.nullInputStream(),
            nowhere,
            nowhere,
            new Terminal(true, width, /* isColored= */ false),
            Progress.NONE,
            OutputPipe.NONE);
    return Main.commandLine(new String[0], streams);
  }

  private static ImmutableList<CommandLine> all(int width) {
    CommandLine commandLine = commandLine(width);
    return ImmutableList.<CommandLine>builder()
        .add(commandLine)
        .addAll(commandLine.getSubcommands().values())
        .build();
  }

  @ParameterizedTest
  @ValueSource(ints = {60, 80, 100, 160})
  void noLineIsWiderThanTheTerminal(int width) {
    for (CommandLine command : all(width)) {
      for (String line : command.getUsageMessage(OFF).lines().toList()) {
        boolean isCommand = line.startsWith("  sublet ") || line.matches("  [0-9].*");
        int most = isCommand ? Math.max(80, width) : Math.min(width, 100);
        assertWithMessage(line)
            .that(line.length())
            .isAtMost(width < 80 && isVerb(line) ? 80 : most);
      }
    }
  }

  /** The verbs are a table, one line each. */
  private static boolean isVerb(String line) {
    return line.matches("  [a-z]{3,10} +[A-Z].*");
  }

  /** A text has the same words at all widths, and so none is broken. */
  @Test
  void wordsAreTheSameAtAllWidths() {
    ImmutableList<CommandLine> wide = all(100);
    ImmutableList<CommandLine> narrow = all(60);
    for (int i = 0; i < wide.size(); i++) {
      assertThat(words(narrow.get(i))).isEqualTo(words(wide.get(i)));
    }
  }

  private static List<String> words(CommandLine command) {
    return Splitter.onPattern("\\s+").splitToList(command.getUsageMessage(OFF));
  }

  @Test
  void everyOptionIsInOneGroup_underItsHeading() {
    ImmutableSet.Builder<String> grouped = ImmutableSet.builder();
    int count = 0;
    for (OptionGroup group : OptionGroup.values()) {
      grouped.addAll(group.names());
      count += group.names().size();
    }
    assertThat(grouped.build()).hasSize(count);
    for (CommandLine verb : commandLine(80).getSubcommands().values()) {
      String help = verb.getUsageMessage(OFF);
      for (OptionSpec option : verb.getCommandSpec().options()) {
        assertThat(grouped.build()).contains(option.longestName());
        String name = option.longestName().replace("--", "--(\\[no-\\])?");
        assertThat(help).containsMatch("(?m)^  (    |-., )" + name + "( |$)");
      }
    }
  }

  @Test
  void theGroupsOfOptimize() {
    String help = CommandRun.of("optimize", "--help").text();

    assertThat(help.lines().filter(line -> line.matches("[A-Z].*:")).toList())
        .containsExactly(
            "Arguments:",
            "Inputs and outputs:",
            "Shapes:",
            "Sharing:",
            "Planning:",
            "Search:",
            "Other:",
            "Examples:")
        .inOrder();
  }

  @Test
  void everyVerbIsOneLine_andOnnxIsNamed() {
    String help = CommandRun.of("--help").text();

    assertThat(help).contains("ONNX");
    for (String verb : commandLine(80).getSubcommands().keySet()) {
      assertThat(help).containsMatch("\n  " + verb + " +[A-Z][^\n]+\n");
    }
    help.lines().forEach(line -> assertThat(line.length()).isAtMost(80));
  }

  @Test
  void helpIsAlsoAVerb() {
    assertThat(CommandRun.of("help").text()).isEqualTo(CommandRun.of("--help").text());
    assertThat(CommandRun.of("help", "plan").text())
        .isEqualTo(CommandRun.of("plan", "--help").text());
    assertThat(CommandRun.of("help", "optimise").errors()).contains("did you mean 'optimize'?");
  }

  @Test
  void theSynopsisNamesRequiredOptionsAndArguments() {
    assertThat(CommandRun.of("convert", "--help").text())
        .startsWith("Usage: sublet convert -o OUT [OPTIONS] IN\n");
    assertThat(CommandRun.of("explain", "--help").text())
        .startsWith("Usage: sublet explain [OPTIONS] IN [VAR]\n");
  }
}
