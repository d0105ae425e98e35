package dev.sublet.diag;

import static java.util.Objects.requireNonNull;

/**
 * One line about the user's input.
 *
 * @param kind what sort of trouble it is, and so the exit code
 * @param place where in the input it is
 * @param message what is wrong and what to do; one line, without the place
 */
public record Diagnostic(Kind kind, Location place, String message) {

  /** The sorts of diagnostic, each with the exit code of a run that ends with it. */
  public enum Kind {
    /** The command line is wrong: an unknown name, a malformed option value. */
    USAGE(2),
    /** The input cannot be read, or is not what it claims to be. */
    UNREADABLE(3),
    /** The input is sound, but holds something that Sublet does not support. */
    UNSUPPORTED(4),
    /** The input is sound, but what was asked for cannot be done (it does not fit). */
    INFEASIBLE(5),
    /** Sublet went on, but left something out or fell back to something weaker. */
    WARNING(0),
    /** Sublet went on; worth knowing. */
    NOTE(0);

    private final int exitCode;

    Kind(int exitCode) {
      this.exitCode = exitCode;
    }

    /** The exit code of a run that ends because of such a diagnostic; 0 if none does. */
    public int exitCode() {
      return exitCode;
    }
  }

  public Diagnostic {
    requireNonNull(kind, "kind");
    requireNonNull(place, "place");
    requireNonNull(message, "message");
  }

  /** The place, a colon and the message, on one line; the message alone if the place is unknown. */
  @Override
  public String toString() {
    String where = place.toString();
    return VisibleText.of(where.isEmpty() ? message : where + ": " + message);
  }
}
