package dev.sublet.cli.console;

/** The exit codes that do not come from a {@link dev.sublet.diag.Diagnostic.Kind}. */
public final class ExitCode {

  /** All went well. */
  public static final int OK = 0;

  /** The command answers a question, and the answer is no. */
  public static final int NO = 1;

  /** Sublet is wrong. */
  public static final int BUG = 70;

  private ExitCode() {}
}
