package dev.sublet.cli;

import static java.util.Objects.requireNonNull;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ImmutableSortedSet;
import dev.sublet.PlanResult;
import dev.sublet.TranspileOptions;
import dev.sublet.Transpiler;
import dev.sublet.Verifier;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.cli.argument.ArenaLimit;
import dev.sublet.cli.argument.Percentage;
import dev.sublet.cli.console.ExitCode;
import dev.sublet.cli.console.StepClock;
import dev.sublet.cli.console.Streams;
import dev.sublet.cli.flag.AnalysisFlags;
import dev.sublet.cli.flag.Outputs;
import dev.sublet.cli.flag.PictureFlags;
import dev.sublet.cli.flag.Pictures;
import dev.sublet.cli.flag.PlanningFlags;
import dev.sublet.cli.flag.ProgramSource;
import dev.sublet.cli.flag.ReportFlags;
import dev.sublet.codec.program.ReadProgram;
import dev.sublet.diag.Diagnostic;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.Location;
import dev.sublet.diag.ProgramException;
import dev.sublet.diff.ArenaCheck;
import dev.sublet.diff.ArenaLimits;
import dev.sublet.liveness.Liveness;
import dev.sublet.liveness.ObservationOptions;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.Program;
import dev.sublet.program.VariableId;
import dev.sublet.report.CheckReport;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code sublet check}: checks the arenas of a program against limits, for CI. */
@Command(
    name = "check",
    header = "Check arenas against limits or a baseline, for CI",
    description = {
      "Checks that no arena is larger than a limit, and that none has grown too much "
          + "since an earlier plan. IN is a plan, or a program or model, which is then "
          + "planned as 'sublet plan' does. Exit code: 0 if every limit is kept, 1 if not.",
      "Each arena is checked by itself: one per memory space (cpu, gpu) and one per "
          + "pool. If each iteration of a loop has an arena of its own, the bytes of one "
          + "iteration count."
    },
    footer = {
      "",
      "Examples:",
      "  sublet check model.pdmodel --max-arena 256KiB",
      "  sublet check model.pdmodel --baseline main.plan.pb --max-growth 2%%",
      "  sublet check m.plan.pb --program m.pdmodel --max-arena sram:64KiB --json",
      "  sublet check model.pdmodel --max-arena 256KiB --format github",
      "  sublet check model.pdmodel --baseline main.plan.pb --report grown.html",
    })
final class CheckCommand implements Verb {

  @Parameters(
      index = "0",
      paramLabel = "IN",
      description = "A program or a plan; its content decides which. - is standard input.")
  private String input = "";

  @Option(
      names = "--max-arena",
      paramLabel = "[NAME:]BYTES",
      converter = ArenaLimit.Converter.class,
      description =
          "The most bytes of each arena, such as 256KiB. With the name of a pool or place, such as"
              + " sram:64KiB, it is the limit of that arena alone. Repeatable; a limit with a name"
              + " replaces the one without. Default: no limit. Example: --max-arena 256KiB --max-arena sram:64KiB.")
  private List<ArenaLimit> limits = new ArrayList<>();

  @Option(
      names = "--baseline",
      paramLabel = "PLAN",
      description =
          "An earlier plan. No arena may be larger than its arena for the same place, pool and"
              + " loop. Default: none. Example: --baseline main.plan.pb.")
  private @Nullable String baseline;

  @Option(
      names = "--max-growth",
      paramLabel = "PERCENT",
      converter = Percentage.class,
      description =
          "By how much an arena may be larger than in the baseline, such as 2%% or 0.5%%."
              + " Default: 0%%. Example: --max-growth 0.5%%.")
  private @Nullable BigDecimal maxGrowth;

  @Option(
      names = "--program",
      paramLabel = "P",
      description =
          "If IN is a plan: the program that it is for, so that operators have names."
              + " Default: none. Example: --program model.pdmodel.")
  private @Nullable String program;

  /** The forms of the result. */
  enum Format {
    TEXT,
    JSON,
    /** Annotations of a workflow on GitHub. */
    GITHUB
  }

  @Option(
      names = "--format",
      paramLabel = "FORM",
      description =
          "How the result is printed: text; json, the same as --json; or github, as annotations of a"
              + " workflow. Default: text. Example: --format github.")
  private @Nullable Format format;

  @Mixin private final PictureFlags picture = new PictureFlags();

  @Mixin private final AnalysisFlags analysis = new AnalysisFlags();

  @Mixin private final PlanningFlags planning = new PlanningFlags();

  @Mixin private final ReportFlags report = new ReportFlags();

  @Spec private @Nullable CommandSpec spec;

  private final Streams streams;

  CheckCommand(Streams streams) {
    this.streams = streams;
  }

  /** The options that apply to plans as well; all other options are about how to plan. */
  private static final ImmutableSet<String> FOR_PLANS =
      ImmutableSet.of(
          "--max-arena",
          "--baseline",
          "--max-growth",
          "--program",
          "--format",
          "--report",
          "--json",
          "--quiet",
          "--verbose",
          "--timings");

  /**
   * A plan, the live ranges of its program if it is known, and the diagnostics of reading and
   * planning.
   */
  private record Planned(
      MemoryPlan plan, Optional<Liveness> liveness, ImmutableList<Diagnostic> diagnostics) {

    Optional<ControlFlowGraph> graph() {
      return liveness.map(Liveness::graph);
    }
  }

  @Override
  public int call() {
    checkOptions();
    StepClock clock = report.clock(streams);
    ArenaLimits wanted = wanted();
    DiagnosticLog log = new DiagnosticLog();
    MemoryPlan before = baseline == null ? null : new ProgramSource(baseline, streams).readPlan();
    Planned planned = planned(clock);
    checkNames(planned.plan());
    if (before != null && before.batch() != planned.plan().batch()) {
      log.warn(
          Location.nowhere(),
          "the baseline is for batch "
              + before.batch()
              + ", but the plan for batch "
              + planned.plan().batch());
    }
    if (before != null && !before.feeds().equals(planned.plan().feeds())) {
      log.warn(
          Location.nowhere(),
          "the baseline is for " + feeds(before) + ", but the plan for " + feeds(planned.plan()));
    }
    if (before != null) {
      draw(before, planned);
    }
    ArenaCheck check = ArenaCheck.of(planned.plan(), wanted, before);
    report.print(planned.diagnostics(), streams);
    report.print(log.diagnostics(), streams);
    print(new CheckReport(planned.plan(), check, wanted.maxGrowth(), planned.liveness()));
    return check.isOk() ? ExitCode.OK : ExitCode.NO;
  }

  /** Draws the plan beside the baseline, if that is wanted. */
  private void draw(MemoryPlan before, Planned planned) {
    try (Outputs outputs = new Outputs(streams)) {
      picture.stage(
          () ->
              Pictures.ofComparison(
                  requireNonNull(baseline), before, input, planned.plan(), planned.graph()),
          outputs);
      outputs.commit();
    }
  }

  private void print(CheckReport result) {
    if (format == Format.GITHUB) {
      streams.out().print(result.github(input.equals(Streams.DASH) ? "" : input));
    } else if (format == Format.JSON) {
      streams.out().print(result.json());
    } else {
      report.print(result, streams);
    }
  }

  private static String feeds(MemoryPlan plan) {
    return plan.feeds().isEmpty() ? "feeds as declared" : Joiner.on(' ').join(plan.feeds());
  }

  private void checkOptions() {
    if (limits.isEmpty() && baseline == null) {
      throw ProgramException.usage(
          "nothing to check: give a limit with --max-arena BYTES, or a plan with --baseline PLAN");
    }
    if (maxGrowth != null && baseline == null) {
      throw ProgramException.usage("--max-growth says nothing without --baseline PLAN");
    }
    if (picture.isWanted() && baseline == null) {
      throw ProgramException.usage(
          "--report draws the plan beside the baseline: give one with --baseline PLAN");
    }
    picture.check();
    if (report.isJson() && format != null && format != Format.JSON) {
      throw ProgramException.usage("--json and --format exclude each other");
    }
    List<@Nullable String> inputs = new ArrayList<>();
    inputs.add(input);
    inputs.add(baseline);
    inputs.add(program);
    inputs.removeIf(argument -> !Streams.DASH.equals(argument));
    if (inputs.size() > 1) {
      throw ProgramException.usage("standard input can be read only once");
    }
  }

  private ArenaLimits wanted() {
    OptionalLong general = OptionalLong.empty();
    Map<String, Long> named = new LinkedHashMap<>();
    for (ArenaLimit limit : limits) {
      boolean isKnown =
          limit.name().isEmpty() ? general.isPresent() : named.containsKey(limit.name());
      if (isKnown) {
        throw ProgramException.usage(
            limit.name().isEmpty()
                ? "--max-arena gives a limit for all arenas twice"
                : "--max-arena names '" + limit.name() + "' twice");
      }
      if (limit.name().isEmpty()) {
        general = OptionalLong.of(limit.bytes());
      } else {
        named.put(limit.name(), limit.bytes());
      }
    }
    return new ArenaLimits(
        general, ImmutableMap.copyOf(named), maxGrowth == null ? BigDecimal.ZERO : maxGrowth);
  }

  /** Refuses limits for arenas that do not exist, which are usually typing errors. */
  private void checkNames(MemoryPlan plan) {
    ImmutableSortedSet<String> names = ArenaCheck.names(plan);
    for (ArenaLimit limit : limits) {
      if (!limit.name().isEmpty() && !names.contains(limit.name())) {
        throw ProgramException.usage(
            "--max-arena names '"
                + limit.name()
                + "', but there is no such arena; there is "
                + (names.isEmpty() ? "none" : String.join(", ", names)));
      }
    }
  }

  private Planned planned(StepClock clock) {
    ProgramSource source = ProgramSource.inMemory(input, streams);
    return switch (source.kind()) {
      case TABLE ->
          throw ProgramException.usage(
              source.name() + " is a table of buffers: check takes a program or a plan");
      case PLAN -> given(source, clock);
      case PROGRAM -> made(source, clock);
    };
  }

  private Planned given(ProgramSource source, StepClock clock) {
    for (OptionSpec option : requireNonNull(spec).commandLine().getParseResult().matchedOptions()) {
      if (!FOR_PLANS.contains(option.longestName())) {
        throw ProgramException.usage(
            option.longestName() + " is for programs, but " + source.name() + " is a plan");
      }
    }
    MemoryPlan plan = source.readPlan();
    clock.endStep("read");
    if (program == null) {
      return new Planned(plan, Optional.empty(), ImmutableList.of());
    }
    ProgramSource of = new ProgramSource(program, streams);
    Program read = of.readProgram().program();
    return of.about(
        () -> {
          Verifier.checkedFor(read, plan);
          checkDeclared(read, plan);
          return new Planned(
              plan, Optional.of(liveness(read, ObservationOptions.defaults())), ImmutableList.of());
        });
  }

  /** Rejects a plan for variables that the program does not have. */
  private static void checkDeclared(Program program, MemoryPlan plan) {
    for (Allocation allocation : plan.allocations()) {
      VariableId id = allocation.variable();
      if (program.declared(id) == Program.NO_VARIABLE) {
        throw ProgramException.unreadable(
            Location.nowhere(), "the plan places " + id + ", which the program does not declare");
      }
    }
  }

  private Planned made(ProgramSource source, StepClock clock) {
    ReadProgram read = source.readProgram();
    if (program != null) {
      throw ProgramException.usage(
          "--program is for plans, but " + source.name() + " is a program itself");
    }
    clock.endStep("read");
    DiagnosticLog log = new DiagnosticLog();
    TranspileOptions options =
        analysis
            .options(read.program(), log)
            .withOffsets(planning.options())
            .withLoops(planning.loops());
    PlanResult result = source.about(() -> Transpiler.plan(read.program(), options));
    clock.endStep("plan");
    ImmutableList<Diagnostic> diagnostics =
        ImmutableList.<Diagnostic>builder()
            .addAll(read.warnings())
            .addAll(log.diagnostics())
            .addAll(result.diagnostics())
            .build();
    return new Planned(
        result.plan(), Optional.of(liveness(read.program(), options.observation())), diagnostics);
  }

  private static Liveness liveness(Program program, ObservationOptions observation) {
    ControlFlowGraph graph = ControlFlowGraph.build(program, OperatorCatalog.standard());
    return Liveness.analyze(graph, observation, new DiagnosticLog());
  }
}
