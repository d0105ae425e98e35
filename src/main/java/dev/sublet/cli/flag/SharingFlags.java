package dev.sublet.cli.flag;

import dev.sublet.sharing.SharingOptions;
import picocli.CommandLine.Option;

/** The options for sharing names. */
public final class SharingFlags {

  @Option(
      names = "--level",
      paramLabel = "exact|fit",
      description =
          "Which variable may take the name of another: one of the same shape, or any that is not"
              + " larger. Default: fit. Example: --level exact.")
  private SharingOptions.Level level = SharingOptions.Level.FIT;

  @Option(
      names = "--policy",
      paramLabel = "pool|global|best",
      description =
          "How groups are found: operator by operator, over all live ranges at once, or the better"
              + " of both. Default: best. Example: --policy pool.")
  private SharingOptions.Policy policy = SharingOptions.Policy.BEST;

  @Option(names = "--release", description = "Insert delete_var operators after last uses.")
  private boolean release;

  @Option(
      names = "--strip-debug",
      description = "Drop op_callstack attributes, which make up most of many files.")
  private boolean stripDebug;

  /** Returns the options. */
  public SharingOptions options(boolean inPlace) {
    return new SharingOptions(policy, level, inPlace);
  }

  /** Whether {@code delete_var} operators are to be inserted. */
  public boolean release() {
    return release;
  }

  /** Whether {@code op_callstack} attributes are to be removed. */
  public boolean stripDebug() {
    return stripDebug;
  }
}
