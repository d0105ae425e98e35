package dev.sublet.cli;

import com.google.common.collect.ImmutableList;
import dev.sublet.PlanResult;
import dev.sublet.ScheduledModel;
import dev.sublet.ScheduledProgram;
import dev.sublet.TranspileOptions;
import dev.sublet.TranspileResult;
import dev.sublet.Transpiler;
import dev.sublet.cli.argument.OutputForm;
import dev.sublet.cli.argument.PlanTarget;
import dev.sublet.cli.console.ExitCode;
import dev.sublet.cli.console.StepClock;
import dev.sublet.cli.console.Streams;
import dev.sublet.cli.flag.AnalysisFlags;
import dev.sublet.cli.flag.ModelFlags;
import dev.sublet.cli.flag.ModelOptions;
import dev.sublet.cli.flag.Outputs;
import dev.sublet.cli.flag.PictureFlags;
import dev.sublet.cli.flag.Pictures;
import dev.sublet.cli.flag.PlanningFlags;
import dev.sublet.cli.flag.ProgramArgument;
import dev.sublet.cli.flag.ProgramSource;
import dev.sublet.cli.flag.ReportFlags;
import dev.sublet.cli.flag.SharingFlags;
import dev.sublet.codec.program.ModelWriter;
import dev.sublet.codec.program.ProgramWriter;
import dev.sublet.codec.program.ReadProgram;
import dev.sublet.concurrent.SideTask;
import dev.sublet.diag.Diagnostic;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.Location;
import dev.sublet.diag.ProgramException;
import dev.sublet.loop.LoopMode;
import dev.sublet.onnx.OnnxModel;
import dev.sublet.report.OptimizeReport;
import dev.sublet.report.PlanReport;
import dev.sublet.report.format.WrittenFile;
import dev.sublet.sharing.SharingOptions.FusionMode;
import dev.sublet.sharing.SharingOptions.Goal;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code sublet optimize}: rewrites a program, plans its memory, proves both, writes them, and
 * reports the savings.
 */
@Command(
    name = "optimize",
    header = "Rewrite a program so that variables share memory, and plan it",
    description = {
      "Gives one name to variables that are never live at the same time, plans the "
          + "offsets of all variables in one arena, proves that both are right, and writes "
          + "them. Prints how many bytes this saves. Needs at least one of --output, "
          + "--plan and --report.",
      "The values of an ONNX model cannot share names. A model is planned as it is: "
          + "OUT is a copy of the model with the plan in its metadata_props."
    },
    footer = {
      "",
      "Examples:",
      "  sublet optimize model.pdmodel -o small.pdmodel --plan small.plan.json",
      "  sublet optimize model_dir -o small.pdmodel --shape x=8,3,224,224",
      "  sublet optimize train.pdmodel -o small.pdmodel --fetch loss",
      "  sublet optimize model.pdmodel -o small.pdmodel --report memory.html",
      "  sublet optimize model.onnx -o annotated.onnx --shape input_ids=1,128",
      "  sublet optimize - -o - -q <model.pdmodel >small.pdmodel",
    })
final class OptimizeCommand implements Verb {

  /** The warning about graph passes: they move operators without regard to shared names. */
  private static final String FUSION_WARNING =
      "run the rewritten program with graph fusion off (ir_optim off, switch_ir_optim(False)), as"
          + " --fusion off demands: graph passes move operators, and shared names are then"
          + " overwritten too early";

  @Mixin private final ProgramArgument in = new ProgramArgument();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "OUT",
      description =
          "The file for the rewritten program. The name decides the form: .json is JSON; "
              + ".textproto, .pbtxt, .prototxt and .txt are text; any other name is binary. - "
              + "is standard output, in the form of IN. Default: none. Example: -o "
              + "small.pdmodel.")
  private @Nullable String output;

  @Option(
      names = "--plan",
      paramLabel = "P",
      description =
          "The file for the plan of the rewritten program. With it, names in loops are shared "
              + "only as far as the plan gets no worse by it. The name decides the form, as "
              + "for --output; .csv, .buffers.csv, .problem.csv, .trace.json, .tflm, "
              + ".tflm.json and .h are the forms of 'sublet convert'. - is standard output, in "
              + "JSON. Default: none. Example: --plan small.plan.json.")
  private @Nullable String plan;

  /** The order in which the operators of the written program run. */
  private enum Schedule {
    FILE,
    MEMORY
  }

  @Option(
      names = "--schedule",
      paramLabel = "file|memory",
      description =
          "The order of the operators of the result. file: as in the file; memory: an order "
              + "that needs less memory, if there is one. memory turns --fusion off. Default: "
              + "file. Example: --schedule memory.")
  private Schedule schedule = Schedule.FILE;

  @Mixin private final ModelFlags models = new ModelFlags();

  @Mixin private final AnalysisFlags analysis = new AnalysisFlags();

  @Mixin private final SharingFlags sharing = new SharingFlags();

  @Mixin private final PlanningFlags planning = new PlanningFlags();

  @Mixin private final PictureFlags picture = new PictureFlags();

  @Mixin private final ReportFlags report = new ReportFlags();

  @Spec private @Nullable CommandSpec spec;

  private final Streams streams;

  OptimizeCommand(Streams streams) {
    this.streams = streams;
  }

  @Override
  public int call() {
    if (output == null && plan == null && !picture.isWanted()) {
      throw ProgramException.usage(
          "nothing to write: name the rewritten program with -o OUT, its plan with --plan P, or a"
              + " picture with --report R");
    }
    picture.check(output, plan);
    StepClock clock = report.clock(streams);
    ProgramSource source = new ProgramSource(in.path(), streams);
    ReadProgram read = models.read(source);
    clock.endStep("read");
    DiagnosticLog log = new DiagnosticLog();
    TranspileOptions options = options(read, log);
    if (read.model().isPresent()) {
      ModelOptions.check(spec, planning.loops(), source);
      OnnxModel model = read.model().get();
      OnnxModel given = sharing.stripDebug() ? model.withoutStacks() : model;
      return annotate(source, read, given, options, log, clock);
    }
    boolean moves = schedule == Schedule.MEMORY;
    if (moves && planning.loops() == LoopMode.UNROLL) {
      throw ProgramException.usage("--schedule memory and --loops unroll exclude each other");
    }
    TranspileResult result =
        source.about(
            () ->
                moves
                    ? ScheduledProgram.transpile(read.program(), options, streams::show)
                    : Transpiler.transpile(read.program(), options, streams::show));
    clock.endStep("transpile");
    SideTask<OptimizeReport.Comparisons> comparisons =
        SideTask.start(() -> OptimizeReport.Comparisons.of(result, options));
    try (Outputs outputs = new Outputs(streams)) {
      stage(result, read, options, outputs, log);
      picture.stage(() -> Pictures.ofRewrite(source.name(), result), outputs);
      clock.endStep("write");
      // The comparisons share names again, with other options. If they fail, no file is kept.
      OptimizeReport summary =
          new OptimizeReport(
              result,
              options,
              comparisons.join(),
              written("rewritten program"),
              diagnostics(read, result, log));
      clock.endStep("summarize");
      outputs.commit();
      report.print(summary.diagnostics(), streams);
      if (outputs.takesStandardOutput()) {
        report.printAside(summary, streams);
      } else {
        report.printBesideFiles(summary, streams);
      }
    }
    return ExitCode.OK;
  }

  /**
   * Plans an ONNX model, and writes the plan into its metadata. The model is not rewritten, because
   * each of its values has exactly one writer.
   */
  private int annotate(
      ProgramSource source,
      ReadProgram read,
      OnnxModel given,
      TranspileOptions options,
      DiagnosticLog log,
      StepClock clock) {
    ScheduledModel scheduled =
        source.about(
            () ->
                schedule == Schedule.MEMORY
                    ? ScheduledModel.of(given, options, streams::show)
                    : new ScheduledModel(
                        given, Transpiler.plan(given.program(), options, streams::show)));
    OnnxModel model = scheduled.model();
    PlanResult result = scheduled.result();
    clock.endStep("plan");
    log.note(
        Location.nowhere(),
        "the values of an ONNX model cannot share names: the model is planned "
            + (model.equals(given) ? "as it is, and" : "in that order, and")
            + (output == null ? " nothing is written of it" : " its metadata_props tell the plan"));
    try (Outputs outputs = new Outputs(streams)) {
      if (output != null) {
        outputs.stage(
            output,
            ModelWriter.toBytes(
                model, result.plan(), OutputForm.ofProgram(output, read.format()), log));
      }
      if (plan != null) {
        PlanTarget target = OutputForm.ofPlan(plan, /* wanted= */ null);
        outputs.stage(plan, target.toBytes(result.plan(), model.program(), log));
      }
      picture.stage(() -> Pictures.ofPlan(source.name(), result), outputs);
      ImmutableList<Diagnostic> diagnostics =
          ImmutableList.<Diagnostic>builder()
              .addAll(read.warnings())
              .addAll(log.diagnostics())
              .addAll(result.diagnostics())
              .build();
      PlanReport summary = new PlanReport(result, options, written("annotated model"), diagnostics);
      outputs.commit();
      clock.endStep("write");
      report.print(summary.diagnostics(), streams);
      if (outputs.takesStandardOutput()) {
        report.printAside(summary, streams);
      } else {
        report.printBesideFiles(summary, streams);
      }
    }
    return ExitCode.OK;
  }

  private ImmutableList<WrittenFile> written(String program) {
    ImmutableList.Builder<WrittenFile> written = ImmutableList.builder();
    if (output != null) {
      written.add(new WrittenFile(program, output));
    }
    if (plan != null) {
      written.add(new WrittenFile("plan", plan));
    }
    picture.targets().forEach(target -> written.add(new WrittenFile("picture", target)));
    return written.build();
  }

  private TranspileOptions options(ReadProgram read, DiagnosticLog log) {
    TranspileOptions analyzed = analysis.options(read.program(), log);
    boolean moves = schedule == Schedule.MEMORY && !read.model().isPresent();
    return new TranspileOptions(
        analyzed.shapes(),
        analyzed.observation(),
        sharing.options(planning.inPlace(), moves).withGoal(plan == null ? Goal.NAMES : Goal.PLAN),
        planning.options(),
        analyzed.target(),
        sharing.release(),
        sharing.stripDebug(),
        analyzed.strict(),
        planning.loops(),
        analyzed.inPlace());
  }

  private void stage(
      TranspileResult result,
      ReadProgram read,
      TranspileOptions options,
      Outputs outputs,
      DiagnosticLog log) {
    DiagnosticLog ofPlan = new DiagnosticLog();
    SideTask<byte[]> printed =
        SideTask.start(() -> plan == null ? new byte[0] : printed(plan, result, ofPlan));
    if (output != null) {
      outputs.stage(
          output,
          ProgramWriter.toBytes(
              result.program(), OutputForm.ofProgram(output, read.format()), log));
      if (options.sharing().fusion() == FusionMode.OFF) {
        log.warn(Location.nowhere(), FUSION_WARNING);
      }
    } else if (plan != null) {
      log.warn(
          Location.nowhere(),
          "the plan describes the rewritten program, which is not written without -o");
    }
    if (plan != null) {
      outputs.stage(plan, printed.join());
      log.addAll(ofPlan);
    }
  }

  private static byte[] printed(String plan, TranspileResult result, DiagnosticLog log) {
    PlanTarget target = OutputForm.ofPlan(plan, /* wanted= */ null);
    return target.toBytes(result.plan(), result.program(), log);
  }

  private static ImmutableList<Diagnostic> diagnostics(
      ReadProgram read, TranspileResult result, DiagnosticLog log) {
    return ImmutableList.<Diagnostic>builder()
        .addAll(read.warnings())
        .addAll(result.diagnostics())
        .addAll(log.diagnostics())
        .build();
  }
}
