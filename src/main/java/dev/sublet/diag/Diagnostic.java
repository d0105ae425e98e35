package dev.sublet.diag;

import static java.util.Objects.requireNonNull;

/**
 * A message of one line about the user's input.
 *
 * @param kind the kind of problem, which determines the exit code
 * @param location the location in the input
 * @param message the problem and its remedy; one line, without the location
 */
public record Diagnostic(Kind kind, Location location, String message) {

  /** The kinds of diagnostics, each with the exit code of a run that ends with it. */
  public enum Kind {
    /** The command line is wrong: an unknown name, a malformed option value. */
    USAGE(2),
    /** The input cannot be read, or is not what it claims to be. */
    UNREADABLE(3),
    /** The input is valid, but contains something that Sublet does not support. */
    UNSUPPORTED(4),
    /** The input is valid, but the request cannot be fulfilled (a plan does not fit). */
    INFEASIBLE(5),
    /** Sublet continued, but left something out or fell back to a weaker method. */
    WARNING(0),
    /** Sublet continued; the message is for information. */
    NOTE(0);

    private final int exitCode;

    Kind(int exitCode) {
      this.exitCode = exitCode;
    }

    /**
     * The exit code of a run that ends because of such a diagnostic; 0 if it does not end a run.
     */
    public int exitCode() {
      return exitCode;
    }
  }

  public Diagnostic {
    requireNonNull(kind, "kind");
    requireNonNull(location, "location");
    requireNonNull(message, "message");
  }

  /**
   * Returns the location, a colon and the message, on one line; the message alone if the location
   * is unknown.
   */
  @Override
  public String toString() {
    String where = location.toString();
    return VisibleText.of(where.isEmpty() ? message : where + ": " + message);
  }
}
