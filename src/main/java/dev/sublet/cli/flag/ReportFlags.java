package dev.sublet.cli.flag;

import dev.sublet.cli.console.StepClock;
import dev.sublet.cli.console.Streams;
import dev.sublet.diag.Diagnostic;
import dev.sublet.diag.VisibleText;
import dev.sublet.report.Report;
import java.io.PrintStream;
import java.util.List;
import picocli.CommandLine.Option;

/** The options for the output of results, warnings and notes. */
public final class ReportFlags {

  @Option(names = "--json", description = "Print one JSON object instead of text.")
  private boolean json;

  @Option(
      names = {"-q", "--quiet"},
      description = "Print no warnings and notes, and no summary beside a file that is written.")
  private boolean quiet;

  @Option(
      names = {"-v", "--verbose"},
      description = "Also list what the tables only count.")
  private boolean verbose;

  @Option(names = "--timings", description = "Print the time of each step to standard error.")
  private boolean timings;

  /** Prints a result to standard output. */
  public void print(Report report, Streams streams) {
    print(report, streams.out());
  }

  /**
   * Prints a result to standard error, because standard output contains a file; prints nothing if
   * quiet.
   */
  public void printAside(Report report, Streams streams) {
    if (!quiet) {
      print(report, streams.err());
    }
  }

  /**
   * Prints the summary of written files to standard output; prints nothing if quiet, unless details
   * or JSON are requested.
   */
  public void printBesideFiles(Report report, Streams streams) {
    if (!quiet || verbose || json) {
      print(report, streams);
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

  /** Whether a result is printed as one JSON object and nothing else. */
  public boolean isJson() {
    return json;
  }

  /** Whether timings are requested. */
  public boolean timings() {
    return timings;
  }

  /**
   * Returns a new clock, which prints only if timings are requested. If they are, or if quiet, the
   * progress line is switched off.
   */
  public StepClock clock(Streams streams) {
    if (quiet || timings) {
      streams.progress().end();
    }
    return new StepClock(timings ? streams.err() : null);
  }
}
