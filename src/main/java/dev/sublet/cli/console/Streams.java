package dev.sublet.cli.console;

import dev.sublet.Stage;
import dev.sublet.diag.Diagnostic;
import dev.sublet.diag.Location;
import dev.sublet.diag.ProgramException;
import dev.sublet.diag.VisibleText;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.List;

/**
 * The streams of one run of a command.
 *
 * @param in standard input
 * @param out standard output, for results only
 * @param err standard error, for everything else
 * @param terminal the terminal that shows standard output
 * @param progress shows the running step on a terminal
 * @param pipe the process's standard output, to which {@code out} writes
 */
public record Streams(
    InputStream in,
    PrintStream out,
    PrintStream err,
    Terminal terminal,
    Progress progress,
    OutputPipe pipe) {

  /** The argument that stands for standard input or output. */
  public static final String DASH = "-";

  /** Creates streams without a terminal. */
  public Streams(InputStream in, PrintStream out, PrintStream err) {
    this(in, out, err, Terminal.NONE, Progress.NONE, OutputPipe.NONE);
  }

  /** Returns the same streams with another standard input. */
  public Streams withInput(InputStream in) {
    return new Streams(in, out, err, terminal, progress, pipe);
  }

  /** Shows on a terminal the stage that is running. */
  public void show(Stage stage) {
    progress.begin(stage.description());
  }

  /** Prints each diagnostic on a line of standard error, preceded by its severity. */
  public void print(List<Diagnostic> diagnostics) {
    for (Diagnostic diagnostic : diagnostics) {
      String severity =
          switch (diagnostic.kind()) {
            case NOTE -> "note";
            case WARNING -> "warning";
            case USAGE, UNREADABLE, UNSUPPORTED, INFEASIBLE -> "error";
          };
      err.print(severity + ": " + diagnostic + "\n");
    }
  }

  /** Prints lines that explain an error on standard error. */
  public void explain(List<String> lines) {
    for (String line : lines) {
      err.print(VisibleText.of(line) + "\n");
    }
  }

  /**
   * Reads standard input to its end.
   *
   * @throws ProgramException if standard input cannot be read, or is longer than any input may be
   */
  public byte[] readInput() {
    try {
      byte[] bytes = in.readNBytes(Integer.MAX_VALUE - 8);
      if (bytes.length == Integer.MAX_VALUE - 8) {
        throw ProgramException.unreadable(
            Location.file("<stdin>"), "is larger than 2 GiB, which protobuf does not allow");
      }
      return bytes;
    } catch (IOException e) {
      throw ProgramException.unreadable(Location.file("<stdin>"), String.valueOf(e.getMessage()));
    }
  }

  /**
   * Writes bytes to standard output.
   *
   * @throws ProgramException if a write to standard output has failed, as {@link #checkOutput}
   *     decides
   */
  public void writeOutput(byte[] bytes) {
    out.write(bytes, 0, bytes.length);
    checkOutput();
  }

  /**
   * Flushes standard output.
   *
   * @throws ProgramException if a write to it has failed, unless the reader has closed the pipe
   */
  public void checkOutput() {
    if (out.checkError()) {
      String why = pipe.failure();
      throw ProgramException.of(
          Diagnostic.Kind.USAGE,
          Location.file("<stdout>"),
          "standard output cannot be written" + (why == null ? "" : ": " + why));
    }
  }
}
