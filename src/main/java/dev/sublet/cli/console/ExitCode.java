package dev.sublet.cli.console;

/** The exit codes that do not come from a {@link dev.sublet.diag.Diagnostic.Kind}. */
public final class ExitCode {

  /** Success. */
  public static final int OK = 0;

  /** The command answers a question with no. */
  public static final int NO = 1;

  /** An internal error: a bug in Sublet. */
  public static final int BUG = 70;

  private ExitCode() {}
}
