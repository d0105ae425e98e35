package dev.sublet.compile.trace;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

import dev.sublet.program.Operation;

/**
 * Steps that are repeated, or perhaps left out.
 *
 * @param operation the {@code while} or {@code conditional_block}
 * @param begin the first step
 * @param end the first step after the region
 * @param isLoop whether the steps are repeated while the condition is true; if not, they run once
 *     if it is true
 * @param condition a boolean, not a constant
 */
public record TracedRegion(
    Operation operation, int begin, int end, boolean isLoop, TracedValue condition) {

  /** Throws {@link IllegalArgumentException} if the region ends before it begins. */
  public TracedRegion {
    requireNonNull(operation, "operation");
    requireNonNull(condition, "condition");
    checkArgument(begin <= end, "[%s, %s)", begin, end);
  }

  /** The same region with other limits. */
  public TracedRegion withSteps(int newBegin, int newEnd) {
    return new TracedRegion(operation, newBegin, newEnd, isLoop, condition);
  }
}
