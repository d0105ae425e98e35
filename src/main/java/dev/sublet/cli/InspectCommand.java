package dev.sublet.cli;

import dev.sublet.cli.console.ExitCode;
import dev.sublet.cli.console.StepClock;
import dev.sublet.cli.console.Streams;
import dev.sublet.cli.flag.AnalysisFlags;
import dev.sublet.cli.flag.AnalyzedProgram;
import dev.sublet.cli.flag.ProgramArgument;
import dev.sublet.cli.flag.ProgramSource;
import dev.sublet.cli.flag.ReportFlags;
import dev.sublet.report.InspectReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code sublet inspect}: summarizes the contents of a program. */
@Command(
    name = "inspect",
    header = "Show the feeds, results, operators and bytes of a program",
    description = {
      "Shows the feeds and results of a Paddle program or an ONNX model with their "
          + "types and shapes, then its version, its blocks, its operators by type, its "
          + "variables by kind, and the bytes of its parameters, feeds, "
          + "results and temporaries."
    },
    footer = {
      "",
      "Examples:",
      "  sublet inspect model.pdmodel",
      "  sublet inspect model.pdmodel --batch 8 --json",
    })
final class InspectCommand implements Verb {

  @Mixin private final ProgramArgument in = new ProgramArgument();

  @Mixin private final AnalysisFlags flags = new AnalysisFlags();

  @Mixin private final ReportFlags report = new ReportFlags();

  private final Streams streams;

  InspectCommand(Streams streams) {
    this.streams = streams;
  }

  @Override
  public int call() {
    StepClock clock = report.clock(streams);
    AnalyzedProgram analyzed = AnalyzedProgram.of(new ProgramSource(in.path(), streams), flags);
    clock.endStep("read and analyze");
    report.print(analyzed.diagnostics(), streams);
    report.print(new InspectReport(analyzed.analysis()), streams);
    return ExitCode.OK;
  }
}
