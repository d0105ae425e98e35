package dev.sublet.plan;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.sublet.program.VariableId;
import java.util.Optional;
import java.util.function.IntToLongFunction;

/**
 * The bytes that one web of a variable occupies. A variable that is written several times
 * independently has several webs, so several allocations.
 *
 * @param variable the variable
 * @param arena the arena's index in the plan
 * @param offset the first byte in the arena; with {@code views}, the first byte while all loops
 *     have completed 0 iterations
 * @param bytes the number of bytes
 * @param live the intervals in which the variable occupies the bytes: ascending, disjoint
 * @param views the location as a function of the iterations of loops; empty if it is always {@code
 *     offset}
 */
public record Allocation(
    VariableId variable,
    int arena,
    long offset,
    long bytes,
    ImmutableList<Interval> live,
    Optional<MultiView> views) {

  public Allocation {
    requireNonNull(variable, "variable");
    requireNonNull(live, "live");
    requireNonNull(views, "views");
  }

  /** An allocation with a constant offset. */
  public Allocation(
      VariableId variable, int arena, long offset, long bytes, ImmutableList<Interval> live) {
    this(variable, arena, offset, bytes, live, Optional.empty());
  }

  /**
   * The first byte in the arena.
   *
   * @param iterations the completed iterations of a loop, by its body block; see {@link MultiView}
   */
  public long offset(IntToLongFunction iterations) {
    return views.isPresent() ? views.get().offset(iterations) : offset;
  }
}
