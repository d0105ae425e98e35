package dev.sublet.cli;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.TranspileOptions;
import dev.sublet.Verifier;
import dev.sublet.cli.console.ExitCode;
import dev.sublet.cli.console.StepClock;
import dev.sublet.cli.console.Streams;
import dev.sublet.cli.flag.AnalysisFlags;
import dev.sublet.cli.flag.ModelFlags;
import dev.sublet.cli.flag.ProgramSource;
import dev.sublet.cli.flag.ReportFlags;
import dev.sublet.cli.flag.TableOptions;
import dev.sublet.codec.program.ReadProgram;
import dev.sublet.diag.Diagnostic;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.Location;
import dev.sublet.diag.ProgramException;
import dev.sublet.plan.Alias;
import dev.sublet.plan.BufferTable;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.Program;
import dev.sublet.report.VerifyReport;
import dev.sublet.sharing.SharingOptions.FusionMode;
import dev.sublet.verify.graph.ValidationResult;
import dev.sublet.verify.plan.BufferTableValidator;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code sublet verify}: runs only the validators. */
@Command(
    name = "verify",
    header = "Prove that a rewritten program or a plan is right",
    description = {
      "Checks that REWRITTEN computes what ORIGINAL computes, that a plan is right "
          + "for a program or for a table of buffers, or both. Prints 'valid', or one line "
          + "per violation (exit code 1)."
    },
    footer = {
      "",
      "Examples:",
      "  sublet verify model.pdmodel small.pdmodel --fusion safe",
      "  sublet verify model.pdmodel small.pdmodel --plan small.plan.json",
      "  sublet verify model.pdmodel --plan model.plan.json",
      "  sublet verify buffers.csv --plan planned.csv",
      "  sublet verify buffers.csv --plan offsets.tflm",
    })
final class VerifyCommand implements Verb {

  @Parameters(
      index = "0",
      paramLabel = "ORIGINAL",
      description = "A program, an ONNX model, or a table of buffers in CSV; - is standard input.")
  private String original = "";

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "REWRITTEN",
      description = "The program that is to replace ORIGINAL.")
  private @Nullable String rewritten;

  @Option(
      names = "--plan",
      paramLabel = "P",
      description =
          "The plan to check: for REWRITTEN, or for ORIGINAL if there is no REWRITTEN. "
              + "For a table of buffers it is a CSV or offsets for TFLite Micro. Default: "
              + "none. Example: --plan small.plan.json.")
  private @Nullable String plan;

  @Option(
      names = "--fusion",
      paramLabel = "safe|off",
      description =
          "safe also checks that REWRITTEN still computes what ORIGINAL computes after "
              + "Paddle's default graph passes (ir_optim). Default: off. Example: --fusion "
              + "safe.")
  private FusionMode fusion = FusionMode.OFF;

  @Mixin private final ModelFlags models = new ModelFlags();

  @Mixin private final AnalysisFlags analysis = new AnalysisFlags();

  @Mixin private final ReportFlags report = new ReportFlags();

  @Spec private @Nullable CommandSpec spec;

  private final Streams streams;

  VerifyCommand(Streams streams) {
    this.streams = streams;
  }

  @Override
  public int call() {
    checkArguments();
    ProgramSource source = ProgramSource.inMemory(original, streams);
    return source.isTable() ? verifyTable(source) : verifyProgram(source);
  }

  private int verifyTable(ProgramSource source) {
    TableOptions.check(spec, source);
    if (rewritten != null || plan == null) {
      throw ProgramException.usage(
          source.name() + " is a table of buffers, which only a --plan P can be verified for");
    }
    StepClock clock = report.clock(streams);
    DiagnosticLog log = new DiagnosticLog();
    BufferTable table = source.readTable(log);
    ProgramSource planSource = ProgramSource.inMemory(plan, streams);
    ValidationResult result;
    if (planSource.isOffsets()) {
      ImmutableLongArray offsets =
          planSource.about(() -> planSource.readOffsets().offsetsOf(table));
      clock.endStep("read");
      result =
          BufferTableValidator.validate(
              table, /* alignment= */ 1, offsets, /* arenaBytes= */ Long.MAX_VALUE);
    } else {
      BufferTable planned = planSource.readTable(log);
      clock.endStep("read");
      result = BufferTableValidator.validate(table, /* alignment= */ 1, planned);
    }
    clock.endStep("verify the plan");
    report.print(log.diagnostics(), streams);
    return answer(ImmutableList.of(new VerifyReport.Check("plan", result)));
  }

  private int verifyProgram(ProgramSource source) {
    StepClock clock = report.clock(streams);
    List<Diagnostic> diagnostics = new ArrayList<>();
    ReadProgram first = read(source, diagnostics);
    ReadProgram second =
        rewritten == null ? first : read(new ProgramSource(rewritten, streams), diagnostics);
    ProgramSource planSource = ProgramSource.inMemory(plan == null ? "" : plan, streams);
    if (plan != null && planSource.isOffsets()) {
      throw ProgramException.usage(
          planSource.name()
              + " does not say when its offsets are used, which a program's plan must: verify the"
              + " plan that it was written from");
    }
    MemoryPlan read = plan == null ? null : planSource.readPlan();
    if (read != null) {
      // The plan's shapes are those of its program's feeds.
      planSource.about(() -> models.checkedFor(second, read));
    }
    clock.endStep("read");
    DiagnosticLog log = new DiagnosticLog();
    TranspileOptions options = analysis.options(first.program(), read, log);
    ImmutableList.Builder<VerifyReport.Check> checks = ImmutableList.builder();
    if (rewritten != null) {
      Location place = Location.file(rewritten);
      ValidationResult result = Verifier.verify(first.program(), second.program(), options);
      checks.add(new VerifyReport.Check("rewrite", result));
      if (!result.isValid() && hasOpenFeed(first.program()) && options.shapes().isDefault()) {
        log.note(
            place,
            "is checked for the declared shapes; if it was rewritten with --shape, --batch or"
                + " --lod, give the same to verify");
      }
      if (fusion == FusionMode.SAFE) {
        checks.add(
            new VerifyReport.Check(
                "fusion", Verifier.verifyFusion(first.program(), second.program())));
      }
      clock.endStep("verify the rewrite");
    }
    if (read != null) {
      ValidationResult result =
          planSource.about(() -> Verifier.verifyPlan(second.program(), read, options));
      checks.add(new VerifyReport.Check("plan", result));
      if (!result.isValid() && options.observation().aliases().isEmpty() && hasRequested(read)) {
        log.note(
            Location.file(planSource.name()),
            "gives results the memory of feeds; if it was made with --alias, give the same to"
                + " verify");
      }
      clock.endStep("verify the plan");
    }
    diagnostics.addAll(log.diagnostics());
    report.print(diagnostics, streams);
    return answer(checks.build());
  }

  private static boolean hasRequested(MemoryPlan plan) {
    return plan.aliases().stream().anyMatch(alias -> alias.kind().equals(Alias.REQUESTED));
  }

  /** Whether the program feeds a variable with an open extent. O(operators). */
  private static boolean hasOpenFeed(Program program) {
    return program.block(0).operations().stream()
        .filter(operation -> operation.type().equals("feed") && operation.outputCount() > 0)
        .map(operation -> operation.output(0))
        .filter(variable -> variable != Program.NO_VARIABLE)
        .map(program::variable)
        .flatMap(variable -> variable.tensorType().stream())
        .anyMatch(type -> type.dims().stream().anyMatch(extent -> extent < 0));
  }

  private int answer(ImmutableList<VerifyReport.Check> checks) {
    VerifyReport found = new VerifyReport(checks);
    report.print(found, streams);
    return found.isValid() ? ExitCode.OK : ExitCode.NO;
  }

  private void checkArguments() {
    if (rewritten == null && plan == null) {
      throw ProgramException.usage("nothing to verify: name a rewritten program, or a --plan P");
    }
    if (rewritten == null && fusion == FusionMode.SAFE) {
      throw ProgramException.usage("--fusion safe checks a rewritten program: name one");
    }
    int dashes = 0;
    for (String argument : new @Nullable String[] {original, rewritten, plan}) {
      dashes += Streams.DASH.equals(argument) ? 1 : 0;
    }
    if (dashes > 1) {
      throw ProgramException.usage("standard input can be read only once");
    }
  }

  private ReadProgram read(ProgramSource source, List<Diagnostic> diagnostics) {
    ReadProgram read = models.read(source);
    diagnostics.addAll(read.warnings());
    return read;
  }
}
