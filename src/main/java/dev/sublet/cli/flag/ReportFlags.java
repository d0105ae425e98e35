package dev.sublet.cli.flag;

import dev.sublet.cli.console.StepClock;
import dev.sublet.cli.console.Streams;
import dev.sublet.diag.Diagnostic;
import dev.sublet.diag.VisibleText;
import dev.sublet.report.Report;
import java.io.PrintStream;
import java.util.List;
import picocli.CommandLine.Option;

/** How results, warnings and notes are shown. */
public final class ReportFlags {

  @Option(names = "--json", description = "Print one JSON object instead of tables.")
  private boolean json;

  @Option(
      names = {"-q", "--quiet"},
      description = "No warnings and notes; on standard error nothing but errors.")
  private boolean quiet;

  @Option(
      names = {"-v", "--verbose"},
      description = "Also list what the tables only count.")
  private boolean verbose;

  @Option(names = "--timings", description = "Print how long each step took to standard error.")
  private boolean timings;

  /** Prints a result to standard output. */
  public void print(Report report, Streams streams) {
    print(report, streams.out());
  }

  /** Prints a result to standard error, because standard output carries a file; not if quiet. */
  public void printAside(Report report, Streams streams) {
    if (!quiet) {
      print(report, streams.err());
    }
  }

  private void print(Report report, PrintStream stream) {
    if (json) {
      stream.print(report.json());
      return;
    }
    stream.print(VisibleText.ofLines(report.text()));
    if (verbose) {
      stream.print(VisibleText.ofLines(report.details()));
    }
  }

  /** Prints warnings and notes, unless quiet. */
  public void print(List<Diagnostic> diagnostics, Streams streams) {
    if (!quiet) {
      streams.print(diagnostics);
    }
  }

  /** Whether a result is one JSON object, with nothing beside it. */
  public boolean isJson() {
    return json;
  }

  /** Whether times are wanted. */
  public boolean timings() {
    return timings;
  }

  /** A new clock, which prints only if timings are wanted; then, or if quiet, there is no line. */
  public StepClock clock(Streams streams) {
    if (quiet || timings) {
      streams.progress().end();
    }
    return new StepClock(timings ? streams.err() : null);
  }
}
