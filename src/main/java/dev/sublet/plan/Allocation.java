package dev.sublet.plan;

import static com.google.common.base.Preconditions.checkArgument;
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
 * @param slots the number of equal parts of the bytes in which the elements of a tensor array are:
 *     element k is in part k mod slots; 1 for every other variable
 */
public record Allocation(
    VariableId variable,
    int arena,
    long offset,
    long bytes,
    ImmutableList<Interval> live,
    Optional<MultiView> views,
    long slots) {

  /** Throws {@link IllegalArgumentException} if there is no slot. */
  public Allocation {
    checkArgument(slots >= 1, "slots %s", slots);
    requireNonNull(variable, "variable");
    requireNonNull(live, "live");
    requireNonNull(views, "views");
  }

  /** An allocation with a constant offset. */
  public Allocation(
      VariableId variable, int arena, long offset, long bytes, ImmutableList<Interval> live) {
    this(variable, arena, offset, bytes, live, Optional.empty());
  }

  /** An allocation of a variable that is no tensor array. */
  public Allocation(
      VariableId variable,
      int arena,
      long offset,
      long bytes,
      ImmutableList<Interval> live,
      Optional<MultiView> views) {
    this(variable, arena, offset, bytes, live, views, /* slots= */ 1);
  }

  /** The same allocation with another number of slots. */
  public Allocation withSlots(long newSlots) {
    return new Allocation(variable, arena, offset, bytes, live, views, newSlots);
  }

  /** The bytes of one element of a tensor array; all bytes for every other variable. */
  public long slotBytes() {
    return bytes / slots;
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
