package dev.sublet.cli;

import com.google.common.collect.ImmutableList;
import dev.sublet.cli.console.ExitCode;
import dev.sublet.cli.console.StepClock;
import dev.sublet.cli.console.Streams;
import dev.sublet.cli.flag.Outputs;
import dev.sublet.cli.flag.PictureFlags;
import dev.sublet.cli.flag.Pictures;
import dev.sublet.cli.flag.ProgramSource;
import dev.sublet.cli.flag.ReportFlags;
import dev.sublet.codec.program.InputKind;
import dev.sublet.codec.program.ReadProgram;
import dev.sublet.diag.Diagnostic;
import dev.sublet.diag.ProgramException;
import dev.sublet.diff.PlanDiff;
import dev.sublet.diff.PlanDifference;
import dev.sublet.diff.ProgramDiff;
import dev.sublet.diff.ProgramDifference;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.report.PlanDiffReport;
import dev.sublet.report.ProgramDiffReport;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code sublet diff}: compares two programs, or two plans. */
@Command(
    name = "diff",
    header = "Compare two programs or two plans",
    description = {
      "For two programs: shows which variables have other names, and which operators "
          + "and variables are gone, new or changed. Operators are paired block by block. "
          + "Two arguments are equal if their values come from paired operators, even if "
          + "their names differ.",
      "For two plans: shows which arenas and allocations are gone, new, larger, "
          + "smaller or at another offset. --report draws both on one scale.",
      "Exit code: 0 if nothing differs, 1 if anything does."
    },
    footer = {
      "",
      "Examples:",
      "  sublet diff model.pdmodel small.pdmodel",
      "  sublet diff old.plan.json new.plan.json --json",
      "  sublet diff old.plan.json new.plan.json --report grown.html",
    })
final class DiffCommand implements Verb {

  @Parameters(
      index = "0",
      paramLabel = "A",
      description = "A program or a plan; its content decides which. - is standard input.")
  private String before = "";

  @Parameters(index = "1", paramLabel = "B", description = "The program or plan to compare A with.")
  private String after = "";

  @Mixin private final PictureFlags picture = new PictureFlags();

  @Mixin private final ReportFlags report = new ReportFlags();

  private final Streams streams;

  DiffCommand(Streams streams) {
    this.streams = streams;
  }

  @Override
  public int call() {
    if (before.equals(Streams.DASH) && after.equals(Streams.DASH)) {
      throw ProgramException.usage("standard input can be read only once");
    }
    picture.check();
    StepClock clock = report.clock(streams);
    ProgramSource left = ProgramSource.inMemory(before, streams);
    ProgramSource right = ProgramSource.inMemory(after, streams);
    InputKind kind = kind(left);
    InputKind other = kind(right);
    if (kind != other) {
      // An unreadable file counts as a program; reading it reports the error.
      (kind == InputKind.PROGRAM ? left : right).readProgram();
      throw ProgramException.usage(
          left.name()
              + " is a "
              + word(kind)
              + " and "
              + right.name()
              + " a "
              + word(other)
              + ": diff compares two programs or two plans");
    }
    if (kind == InputKind.PROGRAM && picture.isWanted()) {
      throw ProgramException.usage(
          "--report draws two plans, but "
              + left.name()
              + " is a program; 'sublet plan' makes a plan of it");
    }
    return kind == InputKind.PLAN
        ? comparePlans(left, right, clock)
        : comparePrograms(left, right, clock);
  }

  private static InputKind kind(ProgramSource source) {
    InputKind kind = source.kind();
    if (kind == InputKind.TABLE) {
      throw ProgramException.usage(
          source.name() + " is a table of buffers: diff compares two programs or two plans");
    }
    return kind;
  }

  private static String word(InputKind kind) {
    return kind == InputKind.PLAN ? "plan" : "program";
  }

  private int comparePrograms(ProgramSource left, ProgramSource right, StepClock clock) {
    ReadProgram first = left.readProgram();
    ReadProgram second = right.readProgram();
    clock.endStep("read");
    ProgramDifference difference = ProgramDiff.between(first.program(), second.program());
    clock.endStep("compare");
    report.print(
        ImmutableList.<Diagnostic>builder()
            .addAll(first.warnings())
            .addAll(second.warnings())
            .build(),
        streams);
    report.print(new ProgramDiffReport(difference), streams);
    return difference.isSame() ? ExitCode.OK : ExitCode.NO;
  }

  private int comparePlans(ProgramSource left, ProgramSource right, StepClock clock) {
    MemoryPlan first = left.readPlan();
    MemoryPlan second = right.readPlan();
    clock.endStep("read");
    PlanDifference difference = PlanDiff.between(first, second);
    clock.endStep("compare");
    try (Outputs outputs = new Outputs(streams)) {
      picture.stage(
          () -> Pictures.ofComparison(left.name(), first, right.name(), second, Optional.empty()),
          outputs);
      outputs.commit();
    }
    report.print(new PlanDiffReport(first, second, difference), streams);
    return difference.isSame() ? ExitCode.OK : ExitCode.NO;
  }
}
