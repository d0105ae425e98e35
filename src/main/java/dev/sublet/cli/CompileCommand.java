package dev.sublet.cli;

import com.google.common.base.Suppliers;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.sublet.cli.argument.FileArgument;
import dev.sublet.cli.argument.SizeOrNone;
import dev.sublet.cli.console.ExitCode;
import dev.sublet.cli.console.StepClock;
import dev.sublet.cli.console.Streams;
import dev.sublet.cli.flag.CompileFlags;
import dev.sublet.cli.flag.Outputs;
import dev.sublet.cli.flag.ParameterFlags;
import dev.sublet.cli.flag.PictureFlags;
import dev.sublet.cli.flag.Pictures;
import dev.sublet.cli.flag.ProgramSource;
import dev.sublet.cli.flag.ReportFlags;
import dev.sublet.codec.program.ReadProgram;
import dev.sublet.compile.CompileOptions;
import dev.sublet.compile.CompiledModel;
import dev.sublet.compile.Compiler;
import dev.sublet.compile.MathMode;
import dev.sublet.compile.WeightsForm;
import dev.sublet.diag.Diagnostic;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.ProgramException;
import dev.sublet.picture.Picture;
import dev.sublet.report.CompileReport;
import dev.sublet.report.format.WrittenFile;
import dev.sublet.runtime.tensor.Tensor;
import java.nio.file.Path;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sublet compile}: translates a program to C with one static arena. */
@Command(
    name = "compile",
    header = "Compile a Paddle program or an ONNX model to C with one arena",
    description = {
      "Writes C99 that computes a Paddle program or an ONNX model in one arena, whose plan is "
          + "proved. The code allocates nothing and needs no library; results have the bits of "
          + "'sublet run', unless --math is fast. The shapes of all feeds must be known.",
      "If an operator cannot be compiled, nothing is written, and an error lists all such "
          + "operators (exit code 4)."
    },
    footer = {
      "",
      "Examples:",
      "  sublet compile model.onnx -o build",
      "  sublet compile model_dir --params model.pdiparams -o build",
      "  sublet compile model.onnx -o build --weights bin",
    })
final class CompileCommand implements Verb {

  @Parameters(
      index = "0",
      paramLabel = "IN",
      description = "The program: a file, a directory that contains one, or - for standard input.")
  private String input = "";

  @Mixin private final ParameterFlags parameters = new ParameterFlags();

  @Option(
      names = {"-o", "--output"},
      required = true,
      paramLabel = "DIR",
      description =
          "The directory for the files NAME.h, NAME.c, NAME_weights.c or NAME_weights.bin, main.c, "
              + "Makefile and CMakeLists.txt. It is created if only its parent exists. Required. "
              + "Example: -o build.")
  private String output = "";

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description =
          "The name of the model, with which its files and identifiers begin. Default: "
              + "${DEFAULT-VALUE}. Example: --name mobilenet.")
  private String name = "model";

  @Option(
      names = "--weights",
      paramLabel = "c|bin|none",
      description =
          "Where the constants are. c: in C arrays, which compilers take long for if they are "
              + "large; bin: in a file that the caller loads or maps; none: as bin, but the file is "
              + "not written. Default: c. Example: --weights bin.")
  private WeightsForm weights = WeightsForm.C;

  @Option(
      names = "--math",
      paramLabel = "strict|fast",
      description =
          "How exactly the code computes. strict: the bits of 'sublet run' on every machine; fast: "
              + "products and sums are contracted, and functions such as expf are those of the C "
              + "library, so that bits depend on the machine. Default: strict. Example: --math "
              + "fast.")
  private MathMode math = MathMode.STRICT;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description =
          "The most parts of an operator that may run at the same time, on threads of the caller: "
              + "NAME_run_threads gets a function that runs parts. Bits do not change. Default: "
              + "${DEFAULT-VALUE}. Example: --threads 4.")
  private int threads = 1;

  @Option(
      names = "--panels",
      paramLabel = "BYTES",
      converter = SizeOrNone.class,
      description =
          "The bytes by which the arena may grow to make convolutions and matrix products faster: "
              + "they copy inputs into panels. Panels in bytes that are free anyway do not count. "
              + "Default: a sixteenth of the arena, at most 64KiB. Example: --panels 0.")
  private long panels = CompileOptions.BY_ARENA;

  @Option(
      names = "--unroll",
      paramLabel = "OPERATORS",
      description =
          "Loops whose conditions do not depend on the elements of feeds become calls, one after "
              + "the other, if these are at most so many operators. Others become loops in C, if "
              + "the shapes of their values do not change. Default: ${DEFAULT-VALUE}. Example: "
              + "--unroll 0.")
  private long unrolled = CompileOptions.FEW_OPERATORS;

  @Mixin private final CompileFlags flags = new CompileFlags();

  @Mixin private final PictureFlags picture = new PictureFlags();

  @Mixin private final ReportFlags report = new ReportFlags();

  private final Streams streams;

  CompileCommand(Streams streams) {
    this.streams = streams;
  }

  @Override
  public int call() {
    if (output.equals(Streams.DASH)) {
      throw ProgramException.usage("-o names a directory; several files cannot go to one stream");
    }
    picture.check(Outputs.targetIn(output, "main.c"));
    StepClock clock = report.clock(streams);
    ProgramSource source = new ProgramSource(input, streams);
    ReadProgram read = source.readProgram();
    DiagnosticLog log = new DiagnosticLog();
    CompileOptions options =
        new CompileOptions(
            name,
            weights,
            math,
            threads,
            flags.fetch(),
            panels,
            unrolled,
            flags.options(read.program()),
            String.valueOf(Path.of(source.name()).getFileName()),
            new SubletCommand.Version().getVersion()[0]);
    ImmutableMap<String, Tensor> tensors = parameters.read(source, read, log);
    clock.endStep("read");
    CompiledModel model =
        source.about(() -> Compiler.compile(read.program(), tensors, options, streams::show, log));
    clock.endStep("compile");
    write(model, source, clock);
    ImmutableList<Diagnostic> diagnostics =
        ImmutableList.<Diagnostic>builder()
            .addAll(read.warnings())
            .addAll(log.diagnostics())
            .addAll(model.plan().diagnostics())
            .build();
    report.print(diagnostics, streams);
    report.printBesideFiles(
        new CompileReport(model, options.plan(), written(model), diagnostics), streams);
    return ExitCode.OK;
  }

  private String path(String file) {
    return FileArgument.path(output).resolve(file).toString();
  }

  /** Writes all files or none. */
  private void write(CompiledModel model, ProgramSource source, StepClock clock) {
    try (Outputs outputs = new Outputs(streams)) {
      outputs.stageDirectory(output);
      model.files().forEach((file, content) -> outputs.stage(path(file), content));
      Supplier<Picture> drawn =
          Suppliers.memoize(() -> Pictures.ofPlan(source.name(), model.plan()));
      picture.stage(drawn, outputs);
      outputs.commit();
    }
    clock.endStep("write");
  }

  private ImmutableList<WrittenFile> written(CompiledModel model) {
    ImmutableList.Builder<WrittenFile> written = ImmutableList.builder();
    model.files().keySet().forEach(file -> written.add(new WrittenFile(content(file), path(file))));
    picture.targets().forEach(target -> written.add(new WrittenFile("picture", target)));
    return written.build();
  }

  private static String content(String file) {
    return file.endsWith(".c") || file.endsWith(".h")
        ? "C"
        : file.endsWith(".bin") ? "constants" : "build file";
  }
}
