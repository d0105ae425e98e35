package dev.sublet.plan;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.sublet.program.VariableId;
import java.util.Optional;
import java.util.function.IntToLongFunction;

/**
 * Where one web of a variable is: the bytes that the variable occupies during some of its live
 * ranges. A variable that is written several times independently has several.
 *
 * @param variable the variable
 * @param arena the arena's index in the plan
 * @param offset the first byte in the arena; while no loop has iterated, if there are views
 * @param bytes how many bytes
 * @param live when the variable occupies them: ascending, disjoint
 * @param views where the bytes are if that depends on how often loops have iterated
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

  /** An allocation that stays where it is. */
  public Allocation(
      VariableId variable, int arena, long offset, long bytes, ImmutableList<Interval> live) {
    this(variable, arena, offset, bytes, live, Optional.empty());
  }

  /**
   * The first byte in the arena.
   *
   * @param iterations the number of iterations of the loop with a body block, see {@link MultiView}
   */
  public long offset(IntToLongFunction iterations) {
    return views.isPresent() ? views.get().offset(iterations) : offset;
  }
}
