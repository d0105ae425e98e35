package dev.sublet.cli.flag;

import picocli.CommandLine.Model.OptionSpec;

/**
 * The options that print a text and run no command. No code reads their values, so they have no
 * field.
 */
public final class StandardOptions {

  private StandardOptions() {}

  /** Returns the option {@code --help}. */
  public static OptionSpec help() {
    return OptionSpec.builder("-h", "--help")
        .usageHelp(true)
        .description("Print this help and exit.")
        .build();
  }

  /** Returns the option {@code --version}. */
  public static OptionSpec version() {
    return OptionSpec.builder("-V", "--version")
        .versionHelp(true)
        .description("Print the version and exit.")
        .build();
  }
}
