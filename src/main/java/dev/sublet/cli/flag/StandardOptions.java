package dev.sublet.cli.flag;

import picocli.CommandLine.Model.OptionSpec;

/**
 * The options that print something and run no command. Nothing reads them, so they have no field.
 */
public final class StandardOptions {

  private StandardOptions() {}

  /** {@code --help}. */
  public static OptionSpec help() {
    return OptionSpec.builder("-h", "--help")
        .usageHelp(true)
        .description("Print this help and exit.")
        .build();
  }

  /** {@code --version}. */
  public static OptionSpec version() {
    return OptionSpec.builder("-V", "--version")
        .versionHelp(true)
        .description("Print the version and exit.")
        .build();
  }
}
