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
    description = {
      "Draws a plan: the memory with bytes of its own for every variable, and that of the plan, over"
          + " the operators. The plan is drawn as it is; 'verify' says whether it is right."
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
          "A plan that 'plan' or 'optimize' wrote, or a CSV of buffers with offsets; - is standard"
              + " input.")
  private String input = "";

  @Option(
      names = "--program",
      paramLabel = "IN",
      description =
          "The program that the plan is for, of which the picture shows operators, loops and types."
              + " Without it operators have numbers only."
              + " Default: none. Example: --program small.pdmodel.")
  private @Nullable String program;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "R",
      description =
          "Where the picture goes: .html is a page to explore, .svg a picture for documents; - is"
              + " standard output, a page. Without it a map in characters is printed."
              + " Default: none. Example: -o memory.html.")
  private @Nullable String output;

  @Mixin private final MapFlags map = new MapFlags();

  @Option(
      names = {"-q", "--quiet"},
      description = "No warnings and notes; on standard error nothing but errors.")
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
