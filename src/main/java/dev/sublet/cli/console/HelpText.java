package dev.sublet.cli.console;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.base.CharMatcher;
import com.google.common.base.Splitter;
import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Maps;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * The help of a command as wide as the terminal, with its options in {@linkplain OptionGroup
 * groups}. Lines end only between words: picocli's own help also breaks words after points and
 * dashes, so that {@code --plan} could be torn apart.
 */
public final class HelpText extends CommandLine.Help {

  /** Wider lines are hard to read. */
  private static final int MOST_COLUMNS = 100;

  /** In a narrower terminal, the terminal breaks the lines. */
  private static final int LEAST_COLUMNS = 40;

  /** The column of the descriptions of options and arguments. */
  private static final int TEXT_COLUMN = 24;

  private final CommandSpec spec;
  private final int width;

  private HelpText(CommandSpec spec, ColorScheme colors, int width) {
    super(spec, colors);
    this.spec = spec;
    this.width = width;
  }

  /** Makes a command line print its help in this form, for a terminal. */
  public static void install(CommandLine commandLine, Terminal terminal) {
    int width = Math.max(LEAST_COLUMNS, Math.min(terminal.width(), MOST_COLUMNS));
    commandLine.setHelpFactory(new Factory(width));
  }

  /**
   * Makes the help when it is printed; a class, since a lambda would delay the start of each run.
   */
  private record Factory(int width) implements CommandLine.IHelpFactory {

    @Override
    public CommandLine.Help create(CommandSpec spec, ColorScheme colors) {
      return new HelpText(spec, colors, width);
    }
  }

  /** Returns nothing: the header is the first sentence of the description. */
  @Override
  public String header(Object... params) {
    return "";
  }

  @Override
  public String synopsis(int headingLength) {
    StringBuilder text = new StringBuilder(spec.qualifiedName());
    for (OptionSpec option : spec.options()) {
      if (option.required()) {
        text.append(' ').append(option.shortestName()).append(' ').append(option.paramLabel());
      }
    }
    text.append(spec.subcommands().isEmpty() ? " [OPTIONS]" : " VERB [OPTIONS] ARGUMENTS");
    for (PositionalParamSpec argument : spec.positionalParameters()) {
      String label = argument.paramLabel();
      text.append(' ').append(argument.required() ? label : "[" + label + "]");
    }
    return text.append('\n').toString();
  }

  @Override
  public String description(Object... params) {
    StringBuilder text = new StringBuilder();
    for (String paragraph : spec.usageMessage().header()) {
      text.append('\n').append(paragraph(paragraph + ".", 0, 0));
    }
    for (String paragraph : spec.usageMessage().description()) {
      text.append('\n').append(paragraph(paragraph, 0, 0));
    }
    return text.toString();
  }

  @Override
  public String parameterList() {
    StringBuilder text = new StringBuilder();
    for (PositionalParamSpec argument : spec.positionalParameters()) {
      text.append(entry("  " + argument.paramLabel(), description(argument)));
    }
    return text.isEmpty() ? "" : "\nArguments:\n" + text;
  }

  @Override
  public String optionList() {
    return spec.subcommands().isEmpty() ? groups() : verbs() + allOptions();
  }

  private String allOptions() {
    StringBuilder text = new StringBuilder("\nOptions:\n");
    spec.options().forEach(option -> text.append(entry(label(option), description(option))));
    return text.toString();
  }

  private String groups() {
    ImmutableMap<String, OptionSpec> options =
        Maps.uniqueIndex(spec.options(), OptionSpec::longestName);
    StringBuilder text = new StringBuilder();
    for (OptionGroup group : OptionGroup.values()) {
      ImmutableList<OptionSpec> own =
          group.names().stream()
              .filter(options::containsKey)
              .map(options::get)
              .collect(toImmutableList());
      if (!own.isEmpty()) {
        text.append('\n').append(group.heading()).append(":\n");
        own.forEach(option -> text.append(entry(label(option), description(option))));
      }
    }
    return text.toString();
  }

  /** Returns the names of an option and its value, for example {@code -o, --output OUT}. */
  private static String label(OptionSpec option) {
    String shortest = option.shortestName();
    String longest = option.longestName();
    String names = shortest.equals(longest) ? "      " + longest : "  " + shortest + ", " + longest;
    if (option.negatable()) {
      names = names.replace("--", "--[no-]");
    }
    return option.arity().max() == 0 ? names : names + " " + option.paramLabel();
  }

  /** Returns a description, in which picocli has replaced variables and {@code %%}. */
  private static String description(ArgSpec argument) {
    return String.join(" ", argument.description());
  }

  /** Returns nothing: the verbs are before the options. */
  @Override
  public String commandListHeading(Object... params) {
    return "";
  }

  /** Returns nothing: the verbs are before the options. */
  @Override
  public String commandList() {
    return "";
  }

  private String verbs() {
    StringBuilder text = new StringBuilder("\nVerbs:\n");
    for (CommandLine verb : spec.subcommands().values()) {
      String name = verb.getCommandSpec().name();
      String header = String.join(" ", verb.getCommandSpec().usageMessage().header());
      text.append("  ").append(Strings.padEnd(name, 12, ' ')).append(header).append('\n');
    }
    return text.toString();
  }

  /** Returns the footer. Lines that begin with a blank are commands, which are not broken. */
  @Override
  public String footer(Object... params) {
    StringBuilder text = new StringBuilder();
    for (String line : spec.usageMessage().footer()) {
      String shown = String.format(Locale.ROOT, line);
      text.append(line.startsWith(" ") ? shown + "\n" : paragraph(shown, 0, 0));
    }
    return text.toString();
  }

  /** Returns a label and a description beside it, or below it if the label is long. */
  private String entry(String label, String description) {
    if (label.length() + 2 > TEXT_COLUMN) {
      return label + "\n" + paragraph(description, TEXT_COLUMN, TEXT_COLUMN);
    }
    String start = Strings.padEnd(label, TEXT_COLUMN, ' ');
    return start + paragraph(description, 0, TEXT_COLUMN);
  }

  /**
   * Returns a text in lines no wider than the terminal, unless a word is wider.
   *
   * @param first the blanks before the first line
   * @param indent the blanks before the other lines, and the columns that are already filled if the
   *     first line has none
   */
  private String paragraph(String text, int first, int indent) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : Splitter.on(CharMatcher.is(' ')).omitEmptyStrings().split(text)) {
      if (!line.isEmpty() && indent + line.length() + 1 + word.length() > width) {
        lines.add(line.toString());
        line.setLength(0);
      }
      line.append(line.isEmpty() ? "" : " ").append(word);
    }
    lines.add(line.toString());
    return " ".repeat(first) + String.join("\n" + " ".repeat(indent), lines) + "\n";
  }
}
