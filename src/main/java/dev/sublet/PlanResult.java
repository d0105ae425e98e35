package dev.sublet;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.sublet.diag.Diagnostic;
import dev.sublet.plan.MemoryPlan;

/**
 * An offset plan that the plan validator has accepted.
 *
 * @param plan the plan
 * @param nodes how many nodes searches have visited for the plan; 0 if nothing was searched
 * @param diagnostics warnings and notes, in order
 */
public record PlanResult(MemoryPlan plan, long nodes, ImmutableList<Diagnostic> diagnostics) {

  public PlanResult {
    requireNonNull(plan, "plan");
    requireNonNull(diagnostics, "diagnostics");
  }
}
