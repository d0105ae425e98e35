package dev.sublet.diff;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.Arena;
import java.util.Optional;

/**
 * What is different between two plans.
 *
 * @param facts what is different about the plans as a whole, for people
 * @param arenas the arenas that are gone, new or not the same
 * @param allocations those that are gone, new or not the same, by the first plan's order, new ones
 *     last
 * @param others what is different about unplanned variables, aliases and unneeded copies, for
 *     people
 */
public record PlanDifference(
    ImmutableList<String> facts,
    ImmutableList<ArenaChange> arenas,
    ImmutableList<AllocationChange> allocations,
    ImmutableList<String> others) {

  /** What happened to an allocation. */
  public enum Kind {
    /** It is only in the first plan. */
    GONE,
    /** It is only in the second. */
    NEW,
    /** It has more bytes. */
    GROWN,
    /** It has fewer bytes. */
    SHRUNK,
    /** It is in another place, or moves otherwise with the iterations of loops. */
    MOVED,
    /** It is live at other times. */
    LIVE_ELSEWHEN
  }

  /** An arena before and after; empty where there is none. */
  public record ArenaChange(Optional<Arena> before, Optional<Arena> after) {

    public ArenaChange {
      requireNonNull(before, "before");
      requireNonNull(after, "after");
    }
  }

  /**
   * An allocation before and after.
   *
   * @param kinds what happened to it; at least one thing
   * @param before the allocation in the first plan, unless it is new
   * @param after the allocation in the second, unless it is gone
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

  /** Whether nothing is different. */
  public boolean isSame() {
    return facts.isEmpty() && arenas.isEmpty() && allocations.isEmpty() && others.isEmpty();
  }
}
