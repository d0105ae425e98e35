package dev.sublet.cli.console;

import dev.sublet.diag.Diagnostic;
import dev.sublet.diag.Location;
import java.util.List;
import picocli.CommandLine;
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
    if (!(error instanceof UnmatchedArgumentException unmatched)) {
      return String.valueOf(error.getMessage());
    }
    String what =
        unmatched.isUnknownOption()
            ? "option"
            : error.getCommandLine().getParent() == null ? "command" : "place for the argument";
    List<String> suggestions = unmatched.getSuggestions();
    return "there is no "
        + what
        + " '"
        + unmatched.getUnmatched().get(0)
        + "'"
        + (suggestions.isEmpty() ? "" : "; did you mean " + String.join(" or ", suggestions) + "?");
  }
}
