package dev.sublet.cli;

import dev.sublet.codec.ProgramFormat;
import dev.sublet.codec.ProgramWriter;
import dev.sublet.codec.ReadProgram;
import dev.sublet.diag.DiagnosticLog;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sublet convert}: the same program in another form. */
@Command(
    name = "convert",
    description = {
      "Writes a program in another form. Binary to binary keeps every byte; the text forms warn of"
          + " what they cannot carry."
    },
    footer = {
      "",
      "Examples:",
      "  sublet convert model.pdmodel -o model.textproto",
      "  sublet convert model.textproto -o model.pdmodel",
      "  sublet convert model.pdmodel -o - --to json",
    })
final class ConvertCommand implements Verb {

  @Parameters(
      index = "0",
      paramLabel = "IN",
      description = "The program: a file, a directory that holds one, or - for standard input.")
  private String input = "";

  @Option(
      names = {"-o", "--output"},
      required = true,
      paramLabel = "OUT",
      description = "Where it goes; - is standard output. Required. Example: -o model.json.")
  private String output = "";

  @Option(
      names = "--to",
      paramLabel = "binary|text|json",
      description =
          "The form. Default: by OUT's name (.json; .textproto, .pbtxt, .prototxt or .txt; else"
              + " binary), and text on standard output. Example: --to text.")
  private @Nullable ProgramFormat format;

  @Option(
      names = {"-q", "--quiet"},
      description = "No warnings.")
  private boolean quiet;

  private final Streams streams;

  ConvertCommand(Streams streams) {
    this.streams = streams;
  }

  @Override
  public int call() {
    ReadProgram read = new ProgramSource(input, streams).readProgram();
    DiagnosticLog log = new DiagnosticLog();
    ProgramFormat target =
        format == null ? OutputForm.ofProgram(output, ProgramFormat.TEXT) : format;
    try (Outputs outputs = new Outputs(streams)) {
      outputs.stage(output, ProgramWriter.toBytes(read.program(), target, log));
      outputs.commit();
    }
    if (!quiet) {
      streams.print(read.warnings());
      streams.print(log.diagnostics());
    }
    return ExitCode.OK;
  }
}
