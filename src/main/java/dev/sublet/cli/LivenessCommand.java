package dev.sublet.cli;

import com.google.common.base.Ascii;
import com.google.common.collect.ImmutableList;
import com.google.common.primitives.Ints;
import dev.sublet.analysis.ProgramFacts;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.cli.argument.PositiveNumber;
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
import dev.sublet.report.LiveAtReport;
import dev.sublet.report.LiveSetsReport;
import dev.sublet.report.LivenessOrder;
import dev.sublet.report.LivenessReport;
import dev.sublet.report.Report;
import dev.sublet.report.format.LiveBytes;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sublet liveness}: shows the live ranges of variables. */
@Command(
    name = "liveness",
    header = "Show when each variable is live, and what is live at an operator",
    description = {
      "Shows the operators at which each variable is live. Operators are numbered in the order of"
          + " the program. The operators of a block come inside the operator that runs the block,"
          + " which has two numbers, for its head and its exit. Operator k reads at point 2k and"
          + " writes at point 2k+1. A web is a set of writes with the reads that they reach: a"
          + " variable that is written several times independently has several webs."
    },
    footer = {
      "",
      "Examples:",
      "  sublet liveness model.pdmodel --top 20",
      "  sublet liveness model.pdmodel --at PEAK",
      "  sublet liveness model.pdmodel conv2d_0.tmp_0 --json",
      "  sublet liveness model.pdmodel --dot | dot -Tsvg -o flow.svg",
    })
final class LivenessCommand implements Verb {

  /** The order of the variables. */
  enum Order {
    BYTES,
    TIME
  }

  @Mixin private final ProgramArgument in = new ProgramArgument();

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "VAR",
      description =
          "Only the variables with this name in all blocks, or BLOCK:NAME for the one variable of a"
              + " block.")
  private @Nullable String name;

  @Option(
      names = "--top",
      paramLabel = "N",
      converter = PositiveNumber.class,
      description = "Only the first N variables, by --sort. Default: all. Example: --top 20.")
  private @Nullable Long top;

  @Option(
      names = "--sort",
      paramLabel = "bytes|time",
      description =
          "The order of the variables. bytes: the largest first; time: the one that is live longest"
              + " first. Default: as in the program; bytes with --top or --at. Example: --sort time.")
  private @Nullable Order sort;

  @Option(
      names = "--at",
      paramLabel = "PEAK|N",
      description =
          "Show the variables that are live at one operator: at operator N, or at the first one with"
              + " the most live bytes. Default: none. Example: --at PEAK.")
  private @Nullable String at;

  @Option(
      names = "--raw",
      description =
          "Show the sets live_in and live_out of each operator as in textbooks, with nothing live at"
              + " the end of the program.")
  private boolean raw;

  @Option(
      names = "--dot",
      description =
          "Show the control-flow graph in the DOT language of Graphviz, with the bytes that are live"
              + " into each operator. With VAR, the operators at which it is live are dashed.")
  private boolean dot;

  @Mixin private final AnalysisFlags flags = new AnalysisFlags();

  @Mixin private final ReportFlags report = new ReportFlags();

  private final Streams streams;

  LivenessCommand(Streams streams) {
    this.streams = streams;
  }

  @Override
  public int call() {
    checkOptions();
    StepClock clock = report.clock(streams);
    AnalyzedProgram analyzed = AnalyzedProgram.of(new ProgramSource(in.path(), streams), flags);
    clock.endStep("read and analyze");
    Report result = report(analyzed.analysis());
    report.print(analyzed.diagnostics(), streams);
    report.print(result, streams);
    return ExitCode.OK;
  }

  private void checkOptions() {
    if (raw && name != null) {
      throw ProgramException.usage("--raw shows all variables; leave VAR out");
    }
    if (dot && (raw || report.isJson())) {
      throw ProgramException.usage(
          "--dot prints a graph; leave " + (raw ? "--raw" : "--json") + " out");
    }
    String selection = at != null ? "--at" : top != null ? "--top" : sort != null ? "--sort" : "";
    if (!selection.isEmpty() && (name != null || raw || dot)) {
      throw ProgramException.usage(
          selection
              + " selects from all variables; leave "
              + (name != null ? "VAR" : raw ? "--raw" : "--dot")
              + " out");
    }
  }

  private Report report(ProgramFacts analysis) {
    if (raw) {
      ControlFlowGraph graph = analysis.liveness().graph();
      return new LiveSetsReport(graph, LiveSets.solve(graph));
    }
    int most = top == null ? Integer.MAX_VALUE : Ints.saturatedCast(top);
    if (at != null) {
      return new LiveAtReport(analysis, node(analysis, at), order(LivenessOrder.BYTES), most);
    }
    ImmutableList<Integer> named =
        name == null ? ImmutableList.of() : VariableArgument.resolve(analysis.program(), name);
    if (dot) {
      return new FlowGraphReport(analysis, named);
    }
    LivenessOrder standard = top == null ? LivenessOrder.PROGRAM : LivenessOrder.BYTES;
    return name == null
        ? LivenessReport.ofAll(analysis, order(standard), most)
        : LivenessReport.of(analysis, named);
  }

  private LivenessOrder order(LivenessOrder standard) {
    if (sort == null) {
      return standard;
    }
    return switch (sort) {
      case BYTES -> LivenessOrder.BYTES;
      case TIME -> LivenessOrder.TIME;
    };
  }

  /** Returns the number of the operator that {@code --at} names. */
  private static int node(ProgramFacts analysis, String at) {
    int count = analysis.liveness().graph().nodeCount();
    if (count == 0) {
      throw ProgramException.usage("--at " + at + ": the program has no operators");
    }
    if (Ascii.equalsIgnoreCase(at, "peak")) {
      return LiveBytes.of(analysis).peakNode();
    }
    Integer node = Ints.tryParse(at);
    if (node == null || node < 0 || node >= count) {
      throw ProgramException.usage(
          "--at '"
              + at
              + "' is neither PEAK nor the number of an operator; the operators are 0 to "
              + (count - 1));
    }
    return node;
  }
}
