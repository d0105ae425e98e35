package dev.sublet.cli;

import picocli.CommandLine.Model.OptionSpec;

/**
 * The options that print something and run no command. Nothing reads them, so they have no field.
 */
final class StandardOptions {

  private StandardOptions() {}

  /** {@code --help}. */
  static OptionSpec help() {
    return OptionSpec.builder("-h", "--help")
        .usageHelp(true)
        .description("Print this help and exit.")
        .build();
  }

  /** {@code --version}. */
  static OptionSpec version() {
    return OptionSpec.builder("-V", "--version")
        .versionHelp(true)
        .description("Print the version and exit.")
        .build();
  }
}
