package dev.sublet.cli;

import static java.util.Objects.requireNonNull;

import com.google.common.base.Ascii;
import com.google.common.base.Suppliers;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.sublet.PlanResult;
import dev.sublet.Stage;
import dev.sublet.TablePlans;
import dev.sublet.TableResult;
import dev.sublet.TranspileOptions;
import dev.sublet.Transpiler;
import dev.sublet.cli.argument.OutputForm;
import dev.sublet.cli.argument.PlanTarget;
import dev.sublet.cli.argument.ShapeProfile;
import dev.sublet.cli.console.ExitCode;
import dev.sublet.cli.console.StepClock;
import dev.sublet.cli.console.Streams;
import dev.sublet.cli.flag.AnalysisFlags;
import dev.sublet.cli.flag.MapFlags;
import dev.sublet.cli.flag.ModelFlags;
import dev.sublet.cli.flag.Outputs;
import dev.sublet.cli.flag.PictureFlags;
import dev.sublet.cli.flag.Pictures;
import dev.sublet.cli.flag.PlanningFlags;
import dev.sublet.cli.flag.ProgramSource;
import dev.sublet.cli.flag.ReportFlags;
import dev.sublet.cli.flag.TableOptions;
import dev.sublet.codec.plan.PlanFormat;
import dev.sublet.codec.program.ReadProgram;
import dev.sublet.codec.table.BufferTableWriter;
import dev.sublet.diag.Diagnostic;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.ProgramException;
import dev.sublet.picture.Picture;
import dev.sublet.plan.BufferTable;
import dev.sublet.program.Program;
import dev.sublet.report.PlanReport;
import dev.sublet.report.ProfilesReport;
import dev.sublet.report.Report;
import dev.sublet.report.TableReport;
import dev.sublet.report.format.WrittenFile;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code sublet plan}: plans offsets for an unchanged program, or for a table of buffers. */
@Command(
    name = "plan",
    header = "Plan the offsets of a program, a model, or a table of buffers",
    description = {
      "Plans the offsets of all variables of a Paddle program or an ONNX model in "
          + "one arena, proves the plan, and writes it. The program is not changed.",
      "A table of buffers is a CSV with the columns id,lower,upper,size and "
          + "optionally alignment,offset,gaps. For a table, --align is the alignment of the "
          + "rows that have none of their own, and 1 by default; options about programs "
          + "are refused."
    },
    footer = {
      "",
      "Examples:",
      "  sublet plan model.pdmodel -o model.plan.json",
      "  sublet plan model.pdmodel -o - --align 4KiB --json",
      "  sublet plan buffers.csv -o planned.csv --capacity 1MiB",
      "  sublet plan model.pdmodel --report memory.html",
    })
final class PlanCommand implements Verb {

  @Parameters(
      index = "0",
      paramLabel = "IN",
      description =
          "A program or ONNX model: a file, a directory that contains one, or - for "
              + "standard input. Or a table of buffers in CSV.")
  private String input = "";

  @Option(
      names = {"-o", "--output"},
      paramLabel = "P",
      description =
          "The file for the plan. The name decides the form: .json is JSON; .csv is CSV; "
              + ".buffers.csv and .problem.csv are CSV for other planners, with and without "
              + "offsets; .textproto, .pbtxt, .prototxt and .txt are text; .trace.json is a "
              + "trace; .tflm and .tflm.json are offsets for TFLite Micro; .h is a C header; "
              + "any other name is binary. - is standard output, in JSON. The plan of a table "
              + "is the table with offsets. Default: none, only the summary is printed. "
              + "Example: -o model.plan.json.")
  private @Nullable String output;

  @Option(
      names = "--to",
      paramLabel = "FORM",
      description =
          "The form of the plan, whatever the name of the file: binary, text, json, csv, "
              + "buffers, problem, trace, tflm, tflm_json or header. Default: by the name. "
              + "Example: --to header.")
  private @Nullable PlanFormat format;

  @Option(
      names = "--shape-profile",
      paramLabel = "NAME:SHAPES",
      converter = ShapeProfile.Converter.class,
      description =
          "Plan for these shapes, besides those of --shape, and compare: repeatable, one plan per "
              + "profile. Shapes are as for --shape, with ';' between them. The file of -o gets the "
              + "name of the profile before its first dot. Default: one plan. Example: "
              + "--shape-profile 'min:x=1,3,64,64' --shape-profile 'max:x=1,3,640,640'.")
  private List<ShapeProfile> profiles = new ArrayList<>();

  @Mixin private final ModelFlags models = new ModelFlags();

  @Mixin private final AnalysisFlags analysis = new AnalysisFlags();

  @Mixin private final PlanningFlags planning = new PlanningFlags();

  @Mixin private final PictureFlags picture = new PictureFlags();

  @Mixin private final MapFlags map = new MapFlags();

  @Mixin private final ReportFlags report = new ReportFlags();

  @Spec private @Nullable CommandSpec spec;

  private final Streams streams;

  PlanCommand(Streams streams) {
    this.streams = streams;
  }

  @Override
  public int call() {
    picture.check(output);
    if (format != null && output == null) {
      throw ProgramException.usage("--to is the form of -o P, which is not given");
    }
    ProgramSource source = ProgramSource.inMemory(input, streams);
    boolean isTable = source.isTable();
    if (!profiles.isEmpty()) {
      checkProfiles(isTable);
      return planProfiles(source);
    }
    return isTable ? planTable(source) : planProgram(source);
  }

  private void checkProfiles(boolean isTable) {
    if (isTable) {
      throw ProgramException.usage("--shape-profile is for programs; a table has no shapes");
    }
    if (Streams.DASH.equals(output) || picture.isWanted()) {
      throw ProgramException.usage(
          "--shape-profile makes several plans; name a file for them with -o, and draw none");
    }
    Set<String> names = new HashSet<>();
    for (ShapeProfile profile : profiles) {
      if (!names.add(profile.name())) {
        throw ProgramException.usage("--shape-profile gives '" + profile.name() + "' twice");
      }
    }
  }

  /** Makes a plan per profile. All files are written or none. */
  private int planProfiles(ProgramSource source) {
    StepClock clock = report.clock(streams);
    ReadProgram read = models.read(source);
    clock.endStep("read");
    ImmutableList.Builder<ProfilesReport.Profile> made = ImmutableList.builder();
    ImmutableList.Builder<Diagnostic> all = ImmutableList.builder();
    all.addAll(read.warnings());
    try (Outputs outputs = new Outputs(streams)) {
      for (ShapeProfile profile : profiles) {
        DiagnosticLog log = new DiagnosticLog();
        TranspileOptions options = options(read.program(), profile, log);
        PlanResult result =
            source.about(() -> Transpiler.plan(read.program(), options, streams::show));
        ImmutableList<WrittenFile> written = ImmutableList.of();
        if (output != null) {
          String file = named(output, profile);
          PlanTarget target = OutputForm.ofPlan(file, format);
          outputs.stage(file, target.toBytes(result.plan(), read.program(), log));
          written = ImmutableList.of(new WrittenFile("plan", file));
        }
        clock.endStep("plan " + profile.name());
        ImmutableList<Diagnostic> own =
            ImmutableList.<Diagnostic>builder()
                .addAll(log.diagnostics())
                .addAll(result.diagnostics())
                .build();
        all.addAll(own);
        made.add(
            new ProfilesReport.Profile(
                profile.name(), new PlanReport(result, options, written, own)));
      }
      outputs.commit();
    }
    // A note that holds for several profiles is printed once.
    report.print(ImmutableSet.copyOf(all.build()).asList(), streams);
    ProfilesReport summary = new ProfilesReport(made.build());
    if (output == null) {
      report.print(summary, streams);
    } else {
      report.printBesideFiles(summary, streams);
    }
    return ExitCode.OK;
  }

  private TranspileOptions options(Program program, ShapeProfile profile, DiagnosticLog log) {
    return analysis
        .withShapes(program, profile.shapes(), log)
        .withOffsets(planning.options())
        .withLoops(planning.loops());
  }

  /** Returns {@code model.max.plan.json} for {@code model.plan.json} and the profile max. */
  private static String named(String file, ShapeProfile profile) {
    int name = file.lastIndexOf('/') + 1;
    int dot = file.indexOf('.', name + 1);
    int end = dot < 0 ? file.length() : dot;
    return file.substring(0, end) + "." + profile.name() + file.substring(end);
  }

  private int planProgram(ProgramSource source) {
    StepClock clock = report.clock(streams);
    ReadProgram read = models.read(source);
    clock.endStep("read");
    DiagnosticLog log = new DiagnosticLog();
    TranspileOptions options =
        analysis
            .options(read.program(), log)
            .withOffsets(planning.options())
            .withLoops(planning.loops());
    PlanResult result = source.about(() -> Transpiler.plan(read.program(), options, streams::show));
    clock.endStep("plan");
    try (Outputs outputs = new Outputs(streams)) {
      if (output != null) {
        PlanTarget target = OutputForm.ofPlan(output, format);
        outputs.stage(output, target.toBytes(result.plan(), read.program(), log));
      }
      Supplier<Picture> drawn = Suppliers.memoize(() -> Pictures.ofPlan(source.name(), result));
      picture.stage(drawn, outputs);
      outputs.commit();
      clock.endStep("write");
      ImmutableList<Diagnostic> diagnostics =
          ImmutableList.<Diagnostic>builder()
              .addAll(read.warnings())
              .addAll(log.diagnostics())
              .addAll(result.diagnostics())
              .build();
      report.print(diagnostics, streams);
      print(new PlanReport(result, options, written(), diagnostics), drawn, outputs);
    }
    return ExitCode.OK;
  }

  private ImmutableList<WrittenFile> written() {
    ImmutableList.Builder<WrittenFile> written = ImmutableList.builder();
    if (output != null) {
      written.add(new WrittenFile("plan", output));
    }
    picture.targets().forEach(target -> written.add(new WrittenFile("picture", target)));
    return written.build();
  }

  private int planTable(ProgramSource source) {
    TableOptions.check(spec, source);
    if (output != null) {
      tableForm();
    }
    StepClock clock = report.clock(streams);
    DiagnosticLog log = new DiagnosticLog();
    BufferTable table = source.readTable(log);
    clock.endStep("read");
    streams.show(Stage.PLANNING);
    TableResult result = source.about(() -> TablePlans.plan(table, planning.tableOptions()));
    double millis = clock.endStep("plan");
    try (Outputs outputs = new Outputs(streams)) {
      if (output != null) {
        outputs.stage(output, tableOutput(result, source, log));
      }
      Supplier<Picture> drawn = Suppliers.memoize(() -> Pictures.ofTable(source.name(), result));
      picture.stage(drawn, outputs);
      outputs.commit();
      clock.endStep("write");
      ImmutableList<Diagnostic> diagnostics =
          ImmutableList.<Diagnostic>builder()
              .addAll(log.diagnostics())
              .addAll(result.diagnostics())
              .build();
      report.print(diagnostics, streams);
      double elapsed = report.timings() ? millis : TableReport.NOT_WANTED;
      print(new TableReport(result, planning.tableOptions(), elapsed, diagnostics), drawn, outputs);
    }
    return ExitCode.OK;
  }

  private byte[] tableOutput(TableResult result, ProgramSource source, DiagnosticLog log) {
    PlanFormat form = tableForm();
    return form.isCsv()
        ? BufferTableWriter.toBytes(result.table(), result.placement().offsets())
        : source.about(
            () ->
                new PlanTarget(requireNonNull(output), form)
                    .toBytes(
                        result.table(),
                        planning.tableOptions().alignment(),
                        result.placement().offsets(),
                        log));
  }

  /**
   * Returns the form of a table's plan. The form is CSV, even for a file whose extension names no
   * form, or a form that contains only offsets.
   *
   * @throws ProgramException if the file name or {@code --to} names another form, because a file
   *     must not contain CSV under the name of another form
   */
  private PlanFormat tableForm() {
    if (format == null && (output == null || output.equals(Streams.DASH))) {
      return PlanFormat.CSV;
    }
    PlanFormat form = OutputForm.ofPlan(requireNonNull(output), format).format();
    if (form == PlanFormat.BINARY && format == null) {
      return PlanFormat.CSV;
    }
    if (form.isComplete() || form == PlanFormat.PROBLEM) {
      throw ProgramException.usage(
          "the plan of a table of buffers is CSV; '"
              + (format == null ? output : Ascii.toLowerCase(format.name()))
              + "' is the name of another form");
    }
    return form;
  }

  private void print(Report summary, Supplier<Picture> drawn, Outputs outputs) {
    if (outputs.takesStandardOutput()) {
      report.printAside(summary, streams);
    } else {
      if (output == null && picture.targets().isEmpty()) {
        report.print(summary, streams);
      } else {
        report.printBesideFiles(summary, streams);
      }
      if (!report.isJson()) {
        map.print(drawn, streams);
      }
    }
  }
}
