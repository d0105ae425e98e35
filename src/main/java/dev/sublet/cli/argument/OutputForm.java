package dev.sublet.cli.argument;

import dev.sublet.cli.console.Streams;
import dev.sublet.codec.plan.PlanFormat;
import dev.sublet.codec.program.ProgramFormat;
import org.jspecify.annotations.Nullable;

/** The form that an output is written in. */
public final class OutputForm {

  private OutputForm() {}

  /** The form of a program: by the target's name, or the given one for standard output. */
  public static ProgramFormat ofProgram(String target, ProgramFormat forStandardOutput) {
    return target.equals(Streams.DASH)
        ? forStandardOutput
        : ProgramFormat.ofFileName(FileArgument.path(target));
  }

  /** The form of a plan: the wanted one, else as {@link #ofPlan(String)} has it. */
  public static PlanTarget ofPlan(String target, @Nullable PlanFormat wanted) {
    return new PlanTarget(target, wanted == null ? ofPlan(target) : wanted);
  }

  /** The form of a plan: by the target's name, or JSON for standard output. */
  public static PlanFormat ofPlan(String target) {
    return target.equals(Streams.DASH)
        ? PlanFormat.JSON
        : PlanFormat.ofFileName(FileArgument.path(target));
  }
}
