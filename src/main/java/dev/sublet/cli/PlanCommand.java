package dev.sublet.cli;

import static java.util.Objects.requireNonNull;

import com.google.common.base.Ascii;
import com.google.common.base.Suppliers;
import com.google.common.collect.ImmutableList;
import dev.sublet.PlanResult;
import dev.sublet.Stage;
import dev.sublet.TablePlans;
import dev.sublet.TableResult;
import dev.sublet.TranspileOptions;
import dev.sublet.Transpiler;
import dev.sublet.cli.argument.OutputForm;
import dev.sublet.cli.argument.PlanTarget;
import dev.sublet.cli.console.ExitCode;
import dev.sublet.cli.console.StepClock;
import dev.sublet.cli.console.Streams;
import dev.sublet.cli.flag.AnalysisFlags;
import dev.sublet.cli.flag.MapFlags;
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
import dev.sublet.report.PlanReport;
import dev.sublet.report.Report;
import dev.sublet.report.TableReport;
import dev.sublet.report.WrittenFile;
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
    return source.isTable() ? planTable(source) : planProgram(source);
  }

  private int planProgram(ProgramSource source) {
    StepClock clock = report.clock(streams);
    ReadProgram read = source.readProgram();
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
      Supplier<Picture> drawn =
          Suppliers.memoize(
              () -> Pictures.ofPlan(source.name(), Pictures.graph(read.program()), result.plan()));
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
