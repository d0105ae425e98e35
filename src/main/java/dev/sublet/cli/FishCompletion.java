package dev.sublet.cli;

import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * Writes the completion script for fish, for which picocli has none. A line of the script is one
 * suggestion:
 *
 * <pre>{@code
 * complete -c sublet -n '__fish_seen_subcommand_from plan' -l order -x -a 'sequential parallel' -d 'Who runs …'
 * }</pre>
 *
 * <p>Where an option or argument has no words to choose from, fish completes file names.
 */
final class FishCompletion {

  private final StringBuilder script = new StringBuilder();

  private FishCompletion() {}

  /** Returns the script for a command line with all its verbs. */
  static String of(CommandLine all) {
    FishCompletion completion = new FishCompletion();
    for (OptionSpec option : all.getCommandSpec().options()) {
      completion.addOption("__fish_use_subcommand", option);
    }
    for (CommandLine verb : all.getSubcommands().values()) {
      CommandSpec spec = verb.getCommandSpec();
      completion.add("__fish_use_subcommand");
      completion.script.append(" -f -a ").append(spec.name());
      completion.describe(spec.usageMessage().description());
      completion.addArguments(spec);
    }
    return completion.script.toString();
  }

  private void addArguments(CommandSpec verb) {
    String condition = "__fish_seen_subcommand_from " + verb.name();
    for (PositionalParamSpec argument : verb.positionalParameters()) {
      if (argument.completionCandidates() != null) {
        add(condition);
        script.append(" -f");
        addWords(argument.completionCandidates());
        describe(argument.description());
      }
    }
    for (OptionSpec option : verb.options()) {
      addOption(condition, option);
    }
  }

  private void addOption(String condition, OptionSpec option) {
    add(condition);
    for (String name : option.names()) {
      script.append(name.startsWith("--") ? " -l " + name.substring(2) : " -s " + name.charAt(1));
    }
    if (option.completionCandidates() != null) {
      script.append(" -x");
      addWords(option.completionCandidates());
    } else if (option.arity().max() > 0) {
      script.append(" -r");
    }
    describe(option.description());
  }

  private void add(String condition) {
    script.append("complete -c sublet -n ").append(quote(condition));
  }

  private void addWords(Iterable<String> words) {
    script.append(" -a ").append(quote(String.join(" ", words)));
  }

  /** Ends a line with the first sentence of a description. */
  private void describe(String[] description) {
    String text = String.join(" ", description).replace("%n", " ").replace("%%", "%");
    int end = text.indexOf(". ");
    String sentence = end < 0 ? text : text.substring(0, end + 1);
    script.append(" -d ").append(quote(sentence)).append('\n');
  }

  private static String quote(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }
}
