package dev.sublet.runtime.machine;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableSet;
import dev.sublet.plan.MemoryPlan;
import java.util.Optional;

/**
 * Options for the run of a program.
 *
 * @param plan the plan whose arenas contain the tensors; without a plan each variable has a tensor
 *     of its own
 * @param wanted names of variables of block 0, or of persistable variables, whose final values are
 *     results in addition to the fetched values; a variable without a value at the end is reported
 *     as unset
 * @param maxSteps the greatest number of operators that may run; at least 1
 */
public record ExecutionOptions(
    Optional<MemoryPlan> plan, ImmutableSet<String> wanted, long maxSteps) {

  /** The default limit on the number of operators that run. */
  public static final long DEFAULT_MAX_STEPS = 10_000_000;

  /** Throws {@link IllegalArgumentException} if no step is allowed. */
  public ExecutionOptions {
    requireNonNull(plan, "plan");
    requireNonNull(wanted, "wanted");
    checkArgument(maxSteps >= 1, "maxSteps %s", maxSteps);
  }

  /**
   * The default options: no plan, no results other than the fetched values, ten million operators.
   */
  public static ExecutionOptions defaults() {
    return new ExecutionOptions(Optional.empty(), ImmutableSet.of(), DEFAULT_MAX_STEPS);
  }

  /** The same options with a plan for the program, in whose arenas it runs. */
  public ExecutionOptions in(MemoryPlan newPlan) {
    return new ExecutionOptions(Optional.of(newPlan), wanted, maxSteps);
  }

  /** The same options with other wanted variables. */
  public ExecutionOptions wanting(ImmutableSet<String> names) {
    return new ExecutionOptions(plan, names, maxSteps);
  }

  /** The same options with another limit on the number of operators. */
  public ExecutionOptions withMaxSteps(long newMaxSteps) {
    return new ExecutionOptions(plan, wanted, newMaxSteps);
  }
}
