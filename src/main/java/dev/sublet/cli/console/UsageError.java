package dev.sublet.cli.console;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import dev.sublet.diag.Diagnostic;
import dev.sublet.diag.Location;
import dev.sublet.diag.NameHint;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Describes an error in the command line in one line, with a hint. */
public final class UsageError {

  private UsageError() {}

  /** Returns a diagnostic with the error and the command that prints the right usage. */
  public static Diagnostic describe(ParameterException error) {
    CommandLine command = error.getCommandLine();
    String name = command.getCommandSpec().qualifiedName();
    return new Diagnostic(
        Diagnostic.Kind.USAGE, Location.nowhere(), message(error) + " (see " + name + " --help)");
  }

  private static String message(ParameterException error) {
    if (!(unmatchedFirst(error) instanceof UnmatchedArgumentException unmatched)) {
      return String.valueOf(error.getMessage());
    }
    String wrong = unmatched.getUnmatched().get(0);
    String start = "there is no ";
    String quoted = " '" + wrong + "'";
    CommandLine command = error.getCommandLine();
    if (unmatched.isUnknownOption()) {
      return start + "option" + quoted + NameHint.of(option(wrong), "options", options(command));
    }
    return command.getParent() == null
        ? start + "verb" + quoted + NameHint.of(wrong, "verbs", command.getSubcommands().keySet())
        : start + "place for the argument" + quoted;
  }

  /**
   * Returns the error to report: an unknown option rather than a missing argument, which picocli
   * reports first.
   */
  private static ParameterException unmatchedFirst(ParameterException error) {
    List<String> unmatched = error.getCommandLine().getUnmatchedArguments();
    return error instanceof MissingParameterException && !unmatched.isEmpty()
        ? new UnmatchedArgumentException(error.getCommandLine(), unmatched)
        : error;
  }

  /** Returns the name in an argument of the form {@code --name=value}. */
  private static String option(String argument) {
    int equals = argument.indexOf('=');
    return equals < 0 ? argument : argument.substring(0, equals);
  }

  private static ImmutableList<String> options(CommandLine command) {
    return command.getCommandSpec().options().stream()
        .map(OptionSpec::longestName)
        .collect(toImmutableList());
  }
}
