package dev.sublet.cli;

import dev.sublet.codec.PlanFormat;
import dev.sublet.codec.ProgramFormat;
import org.jspecify.annotations.Nullable;

/** The form that an output is written in. */
final class OutputForm {

  private OutputForm() {}

  /** The form of a program: by the target's name, or the given one for standard output. */
  static ProgramFormat ofProgram(String target, ProgramFormat forStandardOutput) {
    return target.equals(Streams.DASH)
        ? forStandardOutput
        : ProgramFormat.ofFileName(FileArgument.path(target));
  }

  /** The form of a plan: the wanted one, else as {@link #ofPlan(String)} has it. */
  static PlanTarget ofPlan(String target, @Nullable PlanFormat wanted) {
    return new PlanTarget(target, wanted == null ? ofPlan(target) : wanted);
  }

  /** The form of a plan: by the target's name, or JSON for standard output. */
  static PlanFormat ofPlan(String target) {
    return target.equals(Streams.DASH)
        ? PlanFormat.JSON
        : PlanFormat.ofFileName(FileArgument.path(target));
  }
}
