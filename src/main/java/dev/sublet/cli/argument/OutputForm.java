package dev.sublet.cli.argument;

import dev.sublet.cli.console.Streams;
import dev.sublet.codec.plan.PlanFormat;
import dev.sublet.codec.program.ProgramFormat;
import org.jspecify.annotations.Nullable;

/** Determines the form of an output. */
public final class OutputForm {

  private OutputForm() {}

  /** Returns the form of a program, from the target's name; the given form for standard output. */
  public static ProgramFormat ofProgram(String target, ProgramFormat forStandardOutput) {
    return target.equals(Streams.DASH)
        ? forStandardOutput
        : ProgramFormat.ofFileName(FileArgument.path(target));
  }

  /**
   * Returns the form of a plan: the wanted form, else the form that {@link #ofPlan(String)}
   * returns.
   */
  public static PlanTarget ofPlan(String target, @Nullable PlanFormat wanted) {
    return new PlanTarget(target, wanted == null ? ofPlan(target) : wanted);
  }

  /** Returns the form of a plan, from the target's name; JSON for standard output. */
  public static PlanFormat ofPlan(String target) {
    return target.equals(Streams.DASH)
        ? PlanFormat.JSON
        : PlanFormat.ofFileName(FileArgument.path(target));
  }
}
