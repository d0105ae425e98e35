package dev.sublet.compile;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.sublet.PlanResult;
import dev.sublet.compile.trace.TracedProgram;
import dev.sublet.program.Program;

/**
 * A compiled program before it is written.
 *
 * @param original the program that is compiled
 * @param trace its inputs and results
 * @param steps its operators as loop nests
 * @param planned the program of these operators
 * @param plan the plan of that program
 */
record ModelDraft(
    Program original,
    TracedProgram trace,
    ImmutableList<LoweredStep> steps,
    PlannedProgram planned,
    PlanResult plan) {

  ModelDraft {
    requireNonNull(original, "original");
    requireNonNull(trace, "trace");
    requireNonNull(steps, "steps");
    requireNonNull(planned, "planned");
    requireNonNull(plan, "plan");
  }

  /** The same draft with steps of the same memory. */
  ModelDraft withSteps(ImmutableList<LoweredStep> others) {
    return new ModelDraft(original, trace, others, planned, plan);
  }
}
