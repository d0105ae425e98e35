package dev.sublet.cli;

/** The exit codes that do not come from a {@link dev.sublet.diag.Diagnostic.Kind}. */
final class ExitCode {

  /** All went well. */
  static final int OK = 0;

  /** The command answers a question, and the answer is no. */
  static final int NO = 1;

  /** Sublet is wrong. */
  static final int BUG = 70;

  private ExitCode() {}
}
