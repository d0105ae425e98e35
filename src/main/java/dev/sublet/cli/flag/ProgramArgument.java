package dev.sublet.cli.flag;

import picocli.CommandLine.Parameters;

/** The first argument of the commands that read a program or a model. */
public final class ProgramArgument {

  @Parameters(
      index = "0",
      paramLabel = "IN",
      description =
          "The program or ONNX model: a file, a directory that contains one, or - for "
              + "standard input.")
  private String path = "";

  /** The path as given; {@code -} for standard input. */
  public String path() {
    return path;
  }
}
