package dev.sublet.cli;

import com.google.common.collect.ImmutableList;
import dev.sublet.BetterOrder;
import dev.sublet.Explanation;
import dev.sublet.PlanResult;
import dev.sublet.TranspileOptions;
import dev.sublet.Transpiler;
import dev.sublet.analysis.ProgramFacts;
import dev.sublet.cli.argument.OutputForm;
import dev.sublet.cli.argument.PositiveNumber;
import dev.sublet.cli.argument.VariableArgument;
import dev.sublet.cli.console.ExitCode;
import dev.sublet.cli.console.StepClock;
import dev.sublet.cli.console.Streams;
import dev.sublet.cli.flag.AnalysisFlags;
import dev.sublet.cli.flag.AnalyzedProgram;
import dev.sublet.cli.flag.ModelOptions;
import dev.sublet.cli.flag.Outputs;
import dev.sublet.cli.flag.PlanningFlags;
import dev.sublet.cli.flag.ProgramArgument;
import dev.sublet.cli.flag.ProgramSource;
import dev.sublet.cli.flag.ReportFlags;
import dev.sublet.cli.flag.SharingFlags;
import dev.sublet.codec.program.ModelWriter;
import dev.sublet.codec.program.ProgramFormat;
import dev.sublet.codec.program.ProgramWriter;
import dev.sublet.codec.program.ReadProgram;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.Location;
import dev.sublet.diag.ProgramException;
import dev.sublet.loop.LoopCarriedValues;
import dev.sublet.peak.Lever;
import dev.sublet.peak.Levers;
import dev.sublet.peak.PlanPeak;
import dev.sublet.peak.ProgramVersion;
import dev.sublet.report.LoopReport;
import dev.sublet.report.PeakReport;
import dev.sublet.report.PeakReport.WrittenChange;
import dev.sublet.report.VariableReport;
import dev.sublet.report.format.WrittenFile;
import java.util.Collections;
import java.util.Optional;
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
          + "make the arena smaller, each planned by itself and proved. With --apply N -o OUT: "
          + "also writes the program with change N of that list.",
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
      "  sublet explain model.pdmodel --peak --batch 4 --apply 1 -o halves.pdmodel",
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

  @Option(
      names = "--apply",
      paramLabel = "N",
      converter = PositiveNumber.class,
      description =
          "Write the program with change number N of those that --peak lists for the same program "
              + "and options. Needs --output. Default: none. Example: --apply 1.")
  private @Nullable Long apply;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "OUT",
      description =
          "The file for the program with the change of --apply. The name decides the form, as "
              + "for 'sublet optimize'. - is standard output, in the form of IN. Default: none. "
              + "Example: -o halves.pdmodel.")
  private @Nullable String output;

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
    checkArguments();
    if (peak) {
      return explainPeak();
    }
    return name == null ? explainLoops() : explainVariable(name);
  }

  private void checkArguments() {
    if (peak && name != null) {
      throw ProgramException.usage("--peak explains the whole plan, not '" + name + "'");
    }
    if (apply != null && !peak) {
      throw ProgramException.usage("--apply names a change that --peak lists: give both");
    }
    if ((apply == null) != (output == null)) {
      throw ProgramException.usage(
          apply == null
              ? "-o OUT writes the program with a change: name the change with --apply N"
              : "nothing to write: name the program with the change with -o OUT");
    }
    Outputs.check(Collections.singletonList(output));
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
    ProgramVersion given = new ProgramVersion(read.program(), read.model());
    Levers levers = Levers.find(given, options, plan, found, order);
    clock.endStep("plan changes");
    log.addAll(plan.diagnostics());
    try (Outputs outputs = new Outputs(streams)) {
      Optional<WrittenChange> written = Optional.empty();
      if (apply != null && output != null) {
        Lever lever = lever(levers, apply);
        stage(lever, output, read, outputs, log);
        written = Optional.of(new WrittenChange(apply, new WrittenFile("changed program", output)));
      }
      outputs.commit();
      clock.endStep("write");
      print(read, log, new PeakReport(found, plan.plan().arenaBytes(), levers, written), outputs);
    }
    return ExitCode.OK;
  }

  private void print(ReadProgram read, DiagnosticLog log, PeakReport peakReport, Outputs outputs) {
    report.print(read.warnings(), streams);
    report.print(log.diagnostics(), streams);
    if (outputs.takesStandardOutput()) {
      report.printAside(peakReport, streams);
    } else if (output == null) {
      report.print(peakReport, streams);
    } else {
      report.printBesideFiles(peakReport, streams);
    }
  }

  private static Lever lever(Levers levers, long number) {
    int count = levers.levers().size();
    if (number > count) {
      throw ProgramException.usage(
          "there is no change "
              + number
              + ": "
              + (count == 0
                  ? "none was found that makes the arena smaller"
                  : "--peak lists " + (count == 1 ? "one" : "1 to " + count)));
    }
    Lever lever = levers.levers().get((int) number - 1);
    if (lever.program().isEmpty()) {
      throw ProgramException.usage(
          "--apply writes no program for change "
              + number
              + ", '"
              + lever.change()
              + "': "
              + lever.form().advice());
    }
    return lever;
  }

  private static void stage(
      Lever lever, String output, ReadProgram read, Outputs outputs, DiagnosticLog log) {
    ProgramVersion changed = lever.program().orElseThrow();
    ProgramFormat format = OutputForm.ofProgram(output, read.format());
    outputs.stage(
        output,
        changed.model().isPresent()
            ? ModelWriter.toBytes(changed.model().get(), format, log)
            : ProgramWriter.toBytes(changed.program(), format, log));
    if (!lever.form().advice().isEmpty()) {
      log.warn(Location.nowhere(), "the changed program: " + lever.form().advice());
    }
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
