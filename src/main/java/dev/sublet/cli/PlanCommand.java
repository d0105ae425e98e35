package dev.sublet.cli;

import com.google.common.collect.ImmutableList;
import dev.sublet.PlanResult;
import dev.sublet.TranspileOptions;
import dev.sublet.Transpiler;
import dev.sublet.codec.PlanWriter;
import dev.sublet.codec.ReadProgram;
import dev.sublet.diag.Diagnostic;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.report.PlanReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sublet plan}: offsets for a program as it is. */
@Command(
    name = "plan",
    description = "Plans the offsets of a program's variables in one arena, and proves the plan.",
    footer = {
      "",
      "Examples:",
      "  sublet plan model.pdmodel -o model.plan.json",
      "  sublet plan model.pdmodel -o - --align 4KiB --json",
    })
final class PlanCommand implements Verb {

  @Parameters(
      index = "0",
      paramLabel = "IN",
      description = "The program: a file, a directory that holds one, or - for standard input.")
  private String input = "";

  @Option(
      names = {"-o", "--output"},
      required = true,
      paramLabel = "P",
      description =
          "Where the plan goes: .json is JSON; .csv is CSV; .textproto, .pbtxt, .prototxt and .txt"
              + " are text; any other name is binary; - is standard output, in JSON.")
  private String output = "";

  @Mixin private final AnalysisFlags analysis = new AnalysisFlags();

  @Mixin private final PlanningFlags planning = new PlanningFlags();

  @Mixin private final ReportFlags report = new ReportFlags();

  private final Streams streams;

  PlanCommand(Streams streams) {
    this.streams = streams;
  }

  @Override
  public int call() {
    StepClock clock = report.clock(streams);
    ProgramSource source = new ProgramSource(input, streams);
    ReadProgram read = source.readProgram();
    clock.endStep("read");
    DiagnosticLog log = new DiagnosticLog();
    TranspileOptions options =
        analysis.options(read.program(), log).withOffsets(planning.options());
    PlanResult result = source.about(() -> Transpiler.plan(read.program(), options));
    clock.endStep("plan");
    try (Outputs outputs = new Outputs(streams)) {
      outputs.stage(output, PlanWriter.toBytes(result.plan(), OutputForm.ofPlan(output)));
      outputs.commit();
      clock.endStep("write");
      ImmutableList<Diagnostic> diagnostics =
          ImmutableList.<Diagnostic>builder()
              .addAll(read.warnings())
              .addAll(log.diagnostics())
              .addAll(result.diagnostics())
              .build();
      report.print(diagnostics, streams);
      PlanReport summary = new PlanReport(read.program(), result, diagnostics);
      if (outputs.takesStandardOutput()) {
        report.printAside(summary, streams);
      } else {
        report.print(summary, streams);
      }
    }
    return ExitCode.OK;
  }
}
