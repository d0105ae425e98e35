package dev.sublet.cli;

import com.google.common.collect.ImmutableList;
import dev.sublet.analysis.ProgramFacts;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.cli.argument.VariableArgument;
import dev.sublet.cli.console.ExitCode;
import dev.sublet.cli.console.StepClock;
import dev.sublet.cli.console.Streams;
import dev.sublet.cli.flag.AnalysisFlags;
import dev.sublet.cli.flag.AnalyzedProgram;
import dev.sublet.cli.flag.ProgramArgument;
import dev.sublet.cli.flag.ProgramSource;
import dev.sublet.cli.flag.ReportFlags;
import dev.sublet.diag.ProgramException;
import dev.sublet.liveness.LiveSets;
import dev.sublet.report.FlowGraphReport;
import dev.sublet.report.LiveSetsReport;
import dev.sublet.report.LivenessReport;
import dev.sublet.report.Report;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sublet liveness}: shows the live ranges of variables. */
@Command(
    name = "liveness",
    description = {
      "Shows when each variable is live. Operators are numbered in nesting order, a control operator"
          + " twice, at its head and at its exit; number k reads at point 2k and writes at 2k+1."
          + " A variable that is written several times independently has several webs."
    },
    footer = {
      "",
      "Examples:",
      "  sublet liveness model.pdmodel",
      "  sublet liveness model.pdmodel conv2d_0.tmp_0 --json",
      "  sublet liveness model.pdmodel --raw",
      "  sublet liveness model.pdmodel --dot | dot -Tsvg -o flow.svg",
    })
final class LivenessCommand implements Verb {

  @Mixin private final ProgramArgument in = new ProgramArgument();

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "VAR",
      description = "Only the variables of this name, of any block, or the one of BLOCK:NAME.")
  private @Nullable String name;

  @Option(
      names = "--raw",
      description =
          "Show the textbook's sets instead: live_in and live_out of each node, with nothing live"
              + " at the program's end.")
  private boolean raw;

  @Option(
      names = "--dot",
      description =
          "Show the control-flow graph in Graphviz's DOT language instead, with the bytes that are"
              + " live into each operator; with VAR, nodes at which it is live are dashed.")
  private boolean dot;

  @Mixin private final AnalysisFlags flags = new AnalysisFlags();

  @Mixin private final ReportFlags report = new ReportFlags();

  private final Streams streams;

  LivenessCommand(Streams streams) {
    this.streams = streams;
  }

  @Override
  public int call() {
    if (raw && name != null) {
      throw ProgramException.usage("--raw shows all variables; leave VAR out");
    }
    if (dot && (raw || report.isJson())) {
      throw ProgramException.usage(
          "--dot prints a graph; leave " + (raw ? "--raw" : "--json") + " out");
    }
    StepClock clock = report.clock(streams);
    AnalyzedProgram analyzed = AnalyzedProgram.of(new ProgramSource(in.path(), streams), flags);
    clock.endStep("read and analyze");
    Report result = report(analyzed.analysis());
    report.print(analyzed.diagnostics(), streams);
    report.print(result, streams);
    return ExitCode.OK;
  }

  private Report report(ProgramFacts analysis) {
    if (raw) {
      ControlFlowGraph graph = analysis.liveness().graph();
      return new LiveSetsReport(graph, LiveSets.solve(graph));
    }
    ImmutableList<Integer> named =
        name == null ? ImmutableList.of() : VariableArgument.resolve(analysis.program(), name);
    if (dot) {
      return new FlowGraphReport(analysis, named);
    }
    return name == null
        ? LivenessReport.ofAll(analysis)
        : new LivenessReport(analysis, named, /* ofAll= */ false);
  }
}
