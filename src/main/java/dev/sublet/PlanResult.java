package dev.sublet;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.sublet.analysis.ProgramFacts;
import dev.sublet.diag.Diagnostic;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.plan.PathCoverBound;
import java.util.Optional;

/**
 * An offset plan that the plan validator has accepted.
 *
 * @param facts the facts about the program
 * @param plan the plan
 * @param nodes the number of nodes that searches have visited for the plan; 0 without a search
 * @param pathCoverBound the guarantee of the planner, if the planner is {@code path-cover}
 * @param diagnostics warnings and notes, in order
 */
public record PlanResult(
    ProgramFacts facts,
    MemoryPlan plan,
    long nodes,
    Optional<PathCoverBound> pathCoverBound,
    ImmutableList<Diagnostic> diagnostics) {

  public PlanResult {
    requireNonNull(facts, "facts");
    requireNonNull(plan, "plan");
    requireNonNull(pathCoverBound, "pathCoverBound");
    requireNonNull(diagnostics, "diagnostics");
  }
}
