package dev.sublet;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.sublet.diag.Diagnostic;
import dev.sublet.plan.MemoryPlan;

/**
 * An offset plan that the plan validator has accepted.
 *
 * @param plan the plan
 * @param diagnostics warnings and notes, in order
 */
public record PlanResult(MemoryPlan plan, ImmutableList<Diagnostic> diagnostics) {

  public PlanResult {
    requireNonNull(plan, "plan");
    requireNonNull(diagnostics, "diagnostics");
  }
}
