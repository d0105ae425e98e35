package dev.sublet.cli;

import com.google.common.collect.ImmutableList;
import dev.sublet.BetterOrder;
import dev.sublet.Explanation;
import dev.sublet.PlanResult;
import dev.sublet.TranspileOptions;
import dev.sublet.Transpiler;
import dev.sublet.analysis.ProgramFacts;
import dev.sublet.cli.argument.VariableArgument;
import dev.sublet.cli.console.ExitCode;
import dev.sublet.cli.console.StepClock;
import dev.sublet.cli.console.Streams;
import dev.sublet.cli.flag.AnalysisFlags;
import dev.sublet.cli.flag.AnalyzedProgram;
import dev.sublet.cli.flag.ModelOptions;
import dev.sublet.cli.flag.PlanningFlags;
import dev.sublet.cli.flag.ProgramArgument;
import dev.sublet.cli.flag.ProgramSource;
import dev.sublet.cli.flag.ReportFlags;
import dev.sublet.cli.flag.SharingFlags;
import dev.sublet.codec.program.ReadProgram;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.ProgramException;
import dev.sublet.loop.LoopCarriedValues;
import dev.sublet.peak.Levers;
import dev.sublet.peak.PlanPeak;
import dev.sublet.report.LoopReport;
import dev.sublet.report.PeakReport;
import dev.sublet.report.VariableReport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code sublet explain}: explains why loops copy values or not, and why variables share memory or
 * not.
 */
@Command(
    name = "explain",
    header = "Explain why variables share memory, what loops copy, or the peak",
    description = {
      "With VAR: explains what the variable is and when it is live. Names the variables "
          + "with which 'sublet optimize' lets it share a name and 'sublet plan' lets it "
          + "share bytes, or the reason why there are none.",
      "With --peak: lists what is in use when the arena is fullest, and the changes that "
          + "make the arena smaller, each planned by itself and proved.",
      "Without VAR: explains which values the loops of a program copy from one "
          + "iteration to the next, which of these copies are not needed, which stay, and "
          + "why. The options for sharing and planning then have no effect."
    },
    footer = {
      "",
      "Examples:",
      "  sublet explain model.pdmodel",
      "  sublet explain model.pdmodel conv2d_0.tmp_0",
      "  sublet explain model.pdmodel 1:x --json",
      "  sublet explain model.pdmodel --peak",
    })
final class ExplainCommand implements Verb {

  @Mixin private final ProgramArgument in = new ProgramArgument();

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "VAR",
      description =
          "The variables with this name in all blocks, or BLOCK:NAME for the one "
              + "variable of a block.")
  private @Nullable String name;

  @Option(
      names = "--peak",
      description =
          "Explain the peak of the plan: its tensors, with the operators and the lines of code "
              + "that make them, and what would help.")
  private boolean peak;

  @Mixin private final AnalysisFlags flags = new AnalysisFlags();

  @Mixin private final SharingFlags sharing = new SharingFlags();

  @Mixin private final PlanningFlags planning = new PlanningFlags();

  @Mixin private final ReportFlags report = new ReportFlags();

  @Spec private @Nullable CommandSpec spec;

  private final Streams streams;

  ExplainCommand(Streams streams) {
    this.streams = streams;
  }

  @Override
  public int call() {
    if (peak && name != null) {
      throw ProgramException.usage("--peak explains the whole plan, not '" + name + "'");
    }
    if (peak) {
      return explainPeak();
    }
    return name == null ? explainLoops() : explainVariable(name);
  }

  private int explainPeak() {
    StepClock clock = report.clock(streams);
    ProgramSource source = new ProgramSource(in.path(), streams);
    ReadProgram read = source.readProgram();
    if (read.model().isPresent()) {
      ModelOptions.check(spec, planning.loops(), source);
    }
    clock.endStep("read");
    DiagnosticLog log = new DiagnosticLog();
    TranspileOptions options = options(read, log);
    PlanResult plan = source.about(() -> Transpiler.plan(read.program(), options));
    PlanPeak found = PlanPeak.of(plan.facts(), plan.plan());
    clock.endStep("plan");
    BetterOrder order =
        read.model().isPresent()
            ? BetterOrder.of(read.model().get(), plan.facts(), options)
            : BetterOrder.of(plan.facts(), options);
    clock.endStep("order");
    Levers levers = Levers.find(read.program(), options, plan, found, order);
    clock.endStep("plan changes");
    report.print(read.warnings(), streams);
    report.print(log.diagnostics(), streams);
    report.print(plan.diagnostics(), streams);
    report.print(new PeakReport(found, plan.plan().arenaBytes(), levers), streams);
    return ExitCode.OK;
  }

  private TranspileOptions options(ReadProgram read, DiagnosticLog log) {
    return flags
        .options(read.program(), log)
        .withSharing(sharing.options(planning.inPlace()))
        .withOffsets(planning.options())
        .withLoops(planning.loops());
  }

  private int explainVariable(String argument) {
    StepClock clock = report.clock(streams);
    ProgramSource source = new ProgramSource(in.path(), streams);
    ReadProgram read = source.readProgram();
    if (read.model().isPresent()) {
      ModelOptions.check(spec, planning.loops(), source);
    }
    ImmutableList<Integer> variables = VariableArgument.resolve(read.program(), argument);
    clock.endStep("read");
    DiagnosticLog log = new DiagnosticLog();
    TranspileOptions options = options(read, log);
    Explanation explanation = source.about(() -> Explanation.of(read.program(), options));
    clock.endStep("share and plan");
    report.print(read.warnings(), streams);
    report.print(log.diagnostics(), streams);
    report.print(explanation.diagnostics(), streams);
    report.print(new VariableReport(explanation, variables, read.model().isPresent()), streams);
    return ExitCode.OK;
  }

  private int explainLoops() {
    StepClock clock = report.clock(streams);
    AnalyzedProgram analyzed = AnalyzedProgram.of(new ProgramSource(in.path(), streams), flags);
    clock.endStep("read and analyze");
    ProgramFacts analysis = analyzed.analysis();
    LoopCarriedValues carries = LoopCarriedValues.find(analysis, LoopCarriedValues.MAX_REPEAT);
    report.print(analyzed.diagnostics(), streams);
    report.print(new LoopReport(analysis, carries), streams);
    return ExitCode.OK;
  }
}
