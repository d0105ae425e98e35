package dev.sublet.runtime.machine;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableSet;
import dev.sublet.plan.MemoryPlan;
import java.util.Optional;

/**
 * How a program is run.
 *
 * @param plan the arenas that its tensors are in; without one each variable has a tensor of its own
 * @param wanted names of variables of block 0, or of persistable ones, whose values at the end are
 *     results, beside what the program fetches; those that hold a tensor then
 * @param maxSteps how many operators may run; at least 1
 */
public record ExecutionOptions(
    Optional<MemoryPlan> plan, ImmutableSet<String> wanted, long maxSteps) {

  /** How many operators may run if nothing else is said. */
  public static final long DEFAULT_MAX_STEPS = 10_000_000;

  public ExecutionOptions {
    requireNonNull(plan, "plan");
    requireNonNull(wanted, "wanted");
    checkArgument(maxSteps >= 1, "maxSteps %s", maxSteps);
  }

  /** No plan, no results but what is fetched, ten million operators. */
  public static ExecutionOptions defaults() {
    return new ExecutionOptions(Optional.empty(), ImmutableSet.of(), DEFAULT_MAX_STEPS);
  }

  /** The same inside the arenas of a plan for the program. */
  public ExecutionOptions in(MemoryPlan newPlan) {
    return new ExecutionOptions(Optional.of(newPlan), wanted, maxSteps);
  }

  /** The same with other results. */
  public ExecutionOptions wanting(ImmutableSet<String> names) {
    return new ExecutionOptions(plan, names, maxSteps);
  }

  /** The same with another limit. */
  public ExecutionOptions withMaxSteps(long newMaxSteps) {
    return new ExecutionOptions(plan, wanted, newMaxSteps);
  }
}
