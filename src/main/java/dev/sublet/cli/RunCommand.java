package dev.sublet.cli;

import com.google.common.collect.ImmutableList;
import dev.sublet.PlanResult;
import dev.sublet.RunComparison;
import dev.sublet.TranspileOptions;
import dev.sublet.TranspileResult;
import dev.sublet.Transpiler;
import dev.sublet.analysis.ProgramFacts;
import dev.sublet.analysis.WantedVariables;
import dev.sublet.cli.argument.FileArgument;
import dev.sublet.cli.argument.PositiveNumber;
import dev.sublet.cli.console.ExitCode;
import dev.sublet.cli.console.StepClock;
import dev.sublet.cli.console.Streams;
import dev.sublet.cli.flag.AnalysisFlags;
import dev.sublet.cli.flag.FeedFlags;
import dev.sublet.cli.flag.ModelFlags;
import dev.sublet.cli.flag.Outputs;
import dev.sublet.cli.flag.ParameterFlags;
import dev.sublet.cli.flag.PlanningFlags;
import dev.sublet.cli.flag.ProgramSource;
import dev.sublet.cli.flag.ReportFlags;
import dev.sublet.cli.flag.SharingFlags;
import dev.sublet.codec.program.ReadProgram;
import dev.sublet.codec.tensor.NpyWriter;
import dev.sublet.diag.Diagnostic;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.ProgramException;
import dev.sublet.plan.Feed;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.Names;
import dev.sublet.program.Program;
import dev.sublet.report.tensor.RunReport;
import dev.sublet.runtime.machine.ExecutionOptions;
import dev.sublet.runtime.machine.ExecutionResult;
import dev.sublet.runtime.machine.Executor;
import dev.sublet.shape.ShapeOptions;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sublet run}: executes a program on tensors, in one form or in several. */
@Command(
    name = "run",
    header = "Run a Paddle program or an ONNX model, before and after sharing",
    description = {
      "Runs a Paddle program or an ONNX model on tensors and prints its results. With --compare "
          + "the program runs three times: with a buffer for each variable, with shared names "
          + "(not for a model, which shares none), and inside one arena that is filled with "
          + "poison first. The results must have equal bits (exit code 1 if not)."
    },
    footer = {
      "",
      "Examples:",
      "  sublet run model.pdmodel --params model.pdiparams --feed x=image.npy",
      "  sublet run model_dir --feed x=random:7 --shape x=1,3,224,224 --compare",
      "  sublet run small.pdmodel --plan small.plan.json --save results",
    })
final class RunCommand implements Verb {

  @Parameters(
      index = "0",
      paramLabel = "IN",
      description = "The program: a file, a directory that contains one, or - for standard input.")
  private String input = "";

  @Mixin private final ParameterFlags parameters = new ParameterFlags();

  @Mixin private final FeedFlags feeds = new FeedFlags();

  @Option(
      names = "--plan",
      paramLabel = "P",
      description =
          "Run inside the arenas of this plan, which must be for IN. Default: a buffer "
              + "for each variable. Example: --plan model.plan.json.")
  private @Nullable String plan;

  @Option(
      names = "--compare",
      description =
          "Also run with shared names and inside the arena of a plan, and compare the "
              + "results. With --plan, only inside the arenas of that plan.")
  private boolean compare;

  @Option(
      names = "--save",
      paramLabel = "DIR",
      description =
          "Write each result to a .npy file in this directory, which is created if only its "
              + "parent exists. Default: nothing is written. Example: --save outputs.")
  private @Nullable String save;

  @Option(
      names = "--max-steps",
      paramLabel = "N",
      converter = PositiveNumber.class,
      description =
          "Stop (exit code 5) after this many operators; for loops that never end. "
              + "Default: ${DEFAULT-VALUE}. Example: --max-steps 1000000000.")
  private long maxSteps = ExecutionOptions.DEFAULT_MAX_STEPS;

  @Mixin private final ModelFlags models = new ModelFlags();

  @Mixin private final AnalysisFlags analysis = new AnalysisFlags();

  @Mixin private final SharingFlags sharing = new SharingFlags();

  @Mixin private final PlanningFlags planning = new PlanningFlags();

  @Mixin private final ReportFlags report = new ReportFlags();

  private final Streams streams;

  RunCommand(Streams streams) {
    this.streams = streams;
  }

  @Override
  public int call() {
    if (input.equals(Streams.DASH) && input.equals(plan)) {
      throw ProgramException.usage("standard input can be read only once");
    }
    if (save != null) { // before the run, which may take long
      Outputs.check(List.of(Outputs.targetIn(save, "0.npy")));
    }
    StepClock clock = report.clock(streams);
    ProgramSource source = new ProgramSource(input, streams);
    ReadProgram read = models.read(source);
    Program program = read.program();
    source.about(() -> checked(program));
    MemoryPlan given = plan == null ? null : readPlan(plan, read);
    DiagnosticLog log = new DiagnosticLog();
    TranspileOptions options = options(program, given, log);
    ProgramFacts facts = source.about(() -> ProgramFacts.of(program, options.analysis(), log));
    RunComparison.RunInputs inputs =
        new RunComparison.RunInputs(
            feeds.tensors(facts, options.shapes(), log), parameters.read(source, read, log));
    ExecutionOptions execution =
        ExecutionOptions.defaults()
            .wanting(WantedVariables.of(facts, options.observation().fetch()))
            .withMaxSteps(maxSteps);
    clock.endStep("read");
    List<Diagnostic> diagnostics = new ArrayList<>(read.warnings());
    RunComparison result;
    if (compare && given == null && read.model().isPresent()) {
      PlanResult planned = source.about(() -> Transpiler.plan(program, options, streams::show));
      diagnostics.addAll(planned.diagnostics());
      clock.endStep("plan");
      result =
          source.about(
              () -> RunComparison.run(program, planned.plan(), inputs, execution, clock::endStep));
    } else if (compare && given == null) {
      TranspileResult transpiled =
          source.about(() -> Transpiler.transpile(program, options, streams::show));
      diagnostics.addAll(transpiled.diagnostics());
      clock.endStep("transpile");
      result = source.about(() -> RunComparison.run(transpiled, inputs, execution, clock::endStep));
    } else {
      result = source.about(() -> run(program, given, inputs, execution, clock));
    }
    diagnostics.addAll(log.diagnostics());
    save(result.original());
    report.print(diagnostics, streams);
    report.print(new RunReport(result, ImmutableList.copyOf(diagnostics)), streams);
    return result.isEqual() ? ExitCode.OK : ExitCode.NO;
  }

  private static Program checked(Program program) {
    Executor.check(program);
    return program;
  }

  private MemoryPlan readPlan(String argument, ReadProgram program) {
    ProgramSource source = new ProgramSource(argument, streams);
    MemoryPlan read = source.readPlan();
    return source.about(() -> models.checkedFor(program, read));
  }

  /** Rejects values of feeds for which the given plan was not made. */
  private static void checkValues(MemoryPlan given, ShapeOptions shapes) {
    for (Feed feed : given.feeds()) {
      if (!feed.values().isEmpty() && !feed.values().equals(shapes.values().get(feed.name()))) {
        throw ProgramException.usage(
            "--value gives '"
                + Names.display(feed.name())
                + "' another value than "
                + feed.value()
                + ", for which the plan is");
      }
    }
  }

  private TranspileOptions options(Program program, @Nullable MemoryPlan given, DiagnosticLog log) {
    TranspileOptions analyzed = analysis.options(program, given, log);
    if (given != null) {
      checkValues(given, analyzed.shapes());
    }
    return new TranspileOptions(
        feeds.withShapesOfFiles(analyzed.shapes()).withSingleSequences(program),
        analyzed.observation(),
        sharing.options(planning.inPlace()),
        planning.options(),
        analyzed.target(),
        sharing.release(),
        sharing.stripDebug(),
        analyzed.strict(),
        planning.loops(),
        analyzed.inPlace());
  }

  private RunComparison run(
      Program program,
      @Nullable MemoryPlan given,
      RunComparison.RunInputs inputs,
      ExecutionOptions execution,
      StepClock clock) {
    if (compare && given != null) {
      return RunComparison.run(program, given, inputs, execution, clock::endStep);
    }
    ExecutionOptions form = given == null ? execution : execution.in(given);
    ExecutionResult result = Executor.run(program, inputs.feeds(), inputs.parameters(), form);
    clock.endStep("run");
    return new RunComparison(result, ImmutableList.of());
  }

  private void save(ExecutionResult result) {
    if (save == null) {
      return;
    }
    try (Outputs outputs = new Outputs(streams)) {
      outputs.stageDirectory(save);
      for (int i = 0; i < result.outputs().size(); i++) {
        ExecutionResult.Output output = result.outputs().get(i);
        String name = i + "_" + output.name().replaceAll("[^A-Za-z0-9._-]", "_") + ".npy";
        outputs.stage(
            FileArgument.path(save).resolve(name).toString(),
            NpyWriter.toBytes(output.tensor().tensor()));
      }
      outputs.commit();
    }
  }
}
