package dev.sublet.diff;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.Arena;
import java.util.Optional;

/**
 * The differences between two plans.
 *
 * @param facts the differences between the plans as a whole, as text for people
 * @param arenas the arenas that are removed, new or changed
 * @param allocations the allocations that are removed, new or changed, in the first plan's order,
 *     new ones last
 * @param others the differences between unplanned variables, aliases and unneeded copies, as text
 *     for people
 */
public record PlanDifference(
    ImmutableList<String> facts,
    ImmutableList<ArenaChange> arenas,
    ImmutableList<AllocationChange> allocations,
    ImmutableList<String> others) {

  /** The kind of a change of an allocation. */
  public enum Kind {
    /** The allocation is only in the first plan. */
    GONE,
    /** The allocation is only in the second plan. */
    NEW,
    /** The allocation has more bytes. */
    GROWN,
    /** The allocation has fewer bytes. */
    SHRUNK,
    /**
     * The allocation has another location, or another sequence of locations over the iterations of
     * loops.
     */
    MOVED,
    /** The allocation has other live ranges. */
    LIVE_ELSEWHEN
  }

  /** An arena before and after; empty in the plan that does not have it. */
  public record ArenaChange(Optional<Arena> before, Optional<Arena> after) {

    public ArenaChange {
      requireNonNull(before, "before");
      requireNonNull(after, "after");
    }
  }

  /**
   * An allocation before and after.
   *
   * @param kinds the kinds of the change; at least one
   * @param before the allocation in the first plan, unless it is new
   * @param after the allocation in the second plan, unless it is removed
   */
  public record AllocationChange(
      ImmutableList<Kind> kinds, Optional<Allocation> before, Optional<Allocation> after) {

    public AllocationChange {
      requireNonNull(kinds, "kinds");
      requireNonNull(before, "before");
      requireNonNull(after, "after");
    }
  }

  public PlanDifference {
    requireNonNull(facts, "facts");
    requireNonNull(arenas, "arenas");
    requireNonNull(allocations, "allocations");
    requireNonNull(others, "others");
  }

  /** Whether there is no difference. */
  public boolean isSame() {
    return facts.isEmpty() && arenas.isEmpty() && allocations.isEmpty() && others.isEmpty();
  }
}
