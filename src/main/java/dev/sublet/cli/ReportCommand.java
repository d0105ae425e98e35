package dev.sublet.cli;

import dev.sublet.Verifier;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.cli.argument.PictureForm;
import dev.sublet.cli.console.ExitCode;
import dev.sublet.cli.console.Streams;
import dev.sublet.cli.flag.MapFlags;
import dev.sublet.cli.flag.Outputs;
import dev.sublet.cli.flag.Pictures;
import dev.sublet.cli.flag.PlacedTable;
import dev.sublet.cli.flag.ProgramSource;
import dev.sublet.cli.flag.TableOptions;
import dev.sublet.codec.program.ReadProgram;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.ProgramException;
import dev.sublet.picture.Picture;
import dev.sublet.plan.BufferTable;
import dev.sublet.plan.MemoryPlan;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code sublet report}: draws a picture of a plan. */
@Command(
    name = "report",
    header = "Draw a plan: a page to explore, an SVG, or a map in characters",
    description = {
      "Draws the memory of a plan over the operators, beside the memory with "
          + "separate bytes for each variable. The plan is not checked; 'sublet verify' "
          + "checks it."
    },
    footer = {
      "",
      "Examples:",
      "  sublet report model.plan.json --program model.pdmodel -o memory.html",
      "  sublet report model.plan.json -o memory.svg",
      "  sublet report planned.csv -o memory.html",
      "  sublet report model.plan.json",
    })
final class ReportCommand implements Verb {

  @Parameters(
      index = "0",
      paramLabel = "PLAN",
      description =
          "A plan that 'sublet plan' or 'sublet optimize' wrote, or a table of buffers "
              + "in CSV with offsets; - is standard input.")
  private String input = "";

  @Option(
      names = "--program",
      paramLabel = "IN",
      description =
          "The program that the plan is for; the picture then has its operators, loops "
              + "and types. Default: none, operators are numbers. Example: --program "
              + "small.pdmodel.")
  private @Nullable String program;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "R",
      description =
          "The file for the picture: .html is a page to explore, .svg a picture for "
              + "documents; - is standard output, as a page. Default: none, a map in "
              + "characters is printed. Example: -o memory.html.")
  private @Nullable String output;

  @Mixin private final MapFlags map = new MapFlags();

  @Option(
      names = {"-q", "--quiet"},
      description = "Print no warnings and notes; only errors go to standard error.")
  private boolean quiet;

  @Spec private @Nullable CommandSpec spec;

  private final Streams streams;

  ReportCommand(Streams streams) {
    this.streams = streams;
  }

  @Override
  public int call() {
    if (output != null) {
      PictureForm.of(output);
    }
    if (input.equals(Streams.DASH) && Streams.DASH.equals(program)) {
      throw ProgramException.usage("standard input can be read only once");
    }
    DiagnosticLog log = new DiagnosticLog();
    ProgramSource source = ProgramSource.inMemory(input, streams);
    Picture picture = source.isTable() ? ofTable(source, log) : ofPlan(source);
    try (Outputs outputs = new Outputs(streams)) {
      if (output != null) {
        outputs.stage(output, PictureForm.of(output).toBytes(picture));
      }
      outputs.commit();
    }
    if (!quiet) {
      streams.print(log.diagnostics());
    }
    if (output == null) {
      map.printAnywhere(picture, streams);
    }
    return ExitCode.OK;
  }

  private Picture ofPlan(ProgramSource source) {
    MemoryPlan plan = source.readPlan();
    if (program == null) {
      return source.about(() -> Pictures.ofPlan(source.name(), plan));
    }
    ProgramSource programSource = new ProgramSource(program, streams);
    ReadProgram read = programSource.readProgram();
    source.about(() -> Verifier.checkedFor(read.program(), plan));
    ControlFlowGraph graph = programSource.about(() -> Pictures.graph(read.program()));
    if (!quiet) {
      streams.print(read.warnings());
    }
    return source.about(() -> Pictures.ofPlan(programSource.name(), graph, plan));
  }

  private Picture ofTable(ProgramSource source, DiagnosticLog log) {
    TableOptions.check(spec, source);
    BufferTable table = source.readTable(log);
    PlacedTable.check(table, source.name());
    return Pictures.ofTable(source.name(), table);
  }
}
