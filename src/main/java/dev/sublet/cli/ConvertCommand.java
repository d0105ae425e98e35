package dev.sublet.cli;

import com.google.common.base.Ascii;
import com.google.common.collect.ImmutableList;
import dev.sublet.Verifier;
import dev.sublet.cli.argument.OutputForm;
import dev.sublet.cli.argument.PlanTarget;
import dev.sublet.cli.console.ExitCode;
import dev.sublet.cli.console.Streams;
import dev.sublet.cli.flag.Outputs;
import dev.sublet.cli.flag.PlacedTable;
import dev.sublet.cli.flag.ProgramSource;
import dev.sublet.codec.plan.OfflineAllocation;
import dev.sublet.codec.plan.PlanFormat;
import dev.sublet.codec.plan.PlanSubject;
import dev.sublet.codec.program.InputKind;
import dev.sublet.codec.program.ModelWriter;
import dev.sublet.codec.program.ProgramFormat;
import dev.sublet.codec.program.ProgramWriter;
import dev.sublet.codec.program.ReadProgram;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.ProgramException;
import dev.sublet.plan.BufferTable;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.Program;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sublet convert}: writes a program or a plan in another form. */
@Command(
    name = "convert",
    header = "Write a program, an ONNX model or a plan in another form",
    description = {
      "Writes a Paddle program, an ONNX model or a plan in another form. From binary "
          + "to binary, every byte of a program is kept. A warning names what a form "
          + "cannot represent."
    },
    footer = {
      "",
      "Examples:",
      "  sublet convert model.pdmodel -o model.textproto",
      "  sublet convert model.textproto -o model.pdmodel",
      "  sublet convert model.pdmodel -o - --to json",
      "  sublet convert model.plan.json -o model.trace.json --program model.pdmodel",
      "  sublet convert model.plan.json -o model_plan.h",
      "  sublet convert model.plan.json -o model.problem.csv",
      "  sublet convert planned.csv -o offsets.tflm",
    })
final class ConvertCommand implements Verb {

  @Parameters(
      index = "0",
      paramLabel = "IN",
      description =
          "A program or ONNX model: a file, a directory that contains one, or - for "
              + "standard input. Or a plan, a table of buffers in CSV with offsets, or offsets "
              + "for TFLite Micro.")
  private String input = "";

  @Option(
      names = {"-o", "--output"},
      required = true,
      paramLabel = "OUT",
      description = "The file to write; - is standard output. Required. Example: -o model.json.")
  private String output = "";

  @Option(
      names = "--to",
      paramLabel = "FORM",
      description =
          "The form: binary, text or json. For a plan also csv (live ranges), buffers and "
              + "problem (CSV for other planners, with and without offsets), trace (for "
              + "Perfetto and Chrome), tflm and tflm_json (offsets for TFLite Micro) and "
              + "header (C). Default: by the name of OUT, as for 'sublet plan'; on standard "
              + "output text, or JSON for a plan. Example: --to text.")
  private @Nullable PlanFormat format;

  @Option(
      names = "--program",
      paramLabel = "P",
      description =
          "The program that a plan is for. A trace then has the program's operators. "
              + "Offsets for TFLite Micro need its order of variables. Default: none. Example: "
              + "--program m.pdmodel.")
  private @Nullable String program;

  @Option(
      names = {"-q", "--quiet"},
      description = "Print no warnings.")
  private boolean quiet;

  private final Streams streams;

  ConvertCommand(Streams streams) {
    this.streams = streams;
  }

  @Override
  public int call() {
    if (input.equals(Streams.DASH) && Streams.DASH.equals(program)) {
      throw ProgramException.usage("standard input can be read only once");
    }
    ProgramSource source = ProgramSource.inMemory(input, streams);
    DiagnosticLog log = new DiagnosticLog();
    byte[] converted = convert(source, log);
    try (Outputs outputs = new Outputs(streams)) {
      outputs.stage(output, converted);
      outputs.commit();
    }
    if (!quiet) {
      streams.print(log.diagnostics());
    }
    return ExitCode.OK;
  }

  private byte[] convert(ProgramSource source, DiagnosticLog log) {
    if (source.isOffsets()) {
      return offsets(source);
    }
    InputKind kind = source.kind();
    if (kind == InputKind.PLAN) {
      return plan(source, log);
    }
    return kind == InputKind.TABLE || source.isTable() ? table(source, log) : program(source, log);
  }

  private byte[] program(ProgramSource source, DiagnosticLog log) {
    checkNoProgram("a program");
    PlanFormat wanted = format;
    if (wanted == null && !output.equals(Streams.DASH)) {
      wanted = OutputForm.ofPlan(output);
    }
    ReadProgram read = source.readProgram();
    ProgramFormat target =
        wanted == null
            ? ProgramFormat.TEXT
            : wanted.ofProgram().orElseThrow(() -> refusal(source, "a program"));
    log.addAll(read.warnings());
    return read.model().isPresent()
        ? ModelWriter.toBytes(read.model().get(), target, log)
        : ProgramWriter.toBytes(read.program(), target, log);
  }

  private byte[] plan(ProgramSource source, DiagnosticLog log) {
    MemoryPlan plan = source.readPlan();
    PlanTarget target = OutputForm.ofPlan(output, format);
    if (program == null) {
      return source.about(() -> target.toBytes(plan, log));
    }
    Program subject = readProgram(log);
    source.about(() -> Verifier.checkedFor(subject, plan));
    return source.about(() -> target.toBytes(plan, subject, log));
  }

  private byte[] table(ProgramSource source, DiagnosticLog log) {
    checkNoProgram("a table of buffers");
    PlanTarget target = OutputForm.ofPlan(output, format);
    if (target.format().isComplete() || target.format().isCsv()) {
      throw refusal(source, "a table of buffers");
    }
    BufferTable table = source.readTable(log);
    PlacedTable.check(table, source.name());
    return source.about(() -> target.toBytes(table, /* alignment= */ 1, table.offsets(), log));
  }

  private byte[] offsets(ProgramSource source) {
    OfflineAllocation read = source.readOffsets();
    PlanFormat form = OutputForm.ofPlan(output, format).format();
    if (form == PlanFormat.TFLM) {
      return read.toBytes();
    }
    if (form != PlanFormat.TFLM_JSON && !(format == null && form == PlanFormat.JSON)) {
      throw refusal(source, "an OfflineMemoryAllocation");
    }
    if (program == null) {
      return read.toJson();
    }
    Program subject = readProgram(new DiagnosticLog());
    return source.about(
        () ->
            read.named(PlanSubject.of(subject, ImmutableList.of()).tensors().orElseThrow())
                .toJson());
  }

  private Program readProgram(DiagnosticLog log) {
    ReadProgram read = new ProgramSource(String.valueOf(program), streams).readProgram();
    log.addAll(read.warnings());
    return read.program();
  }

  private void checkNoProgram(String what) {
    if (program != null) {
      throw ProgramException.usage("--program is for plans, but " + input + " is " + what);
    }
  }

  private ProgramException refusal(ProgramSource source, String what) {
    PlanFormat form = OutputForm.ofPlan(output, format).format();
    return ProgramException.usage(
        source.name()
            + " is "
            + what
            + ", which has no form '"
            + Ascii.toLowerCase(form.name())
            + "'");
  }
}
