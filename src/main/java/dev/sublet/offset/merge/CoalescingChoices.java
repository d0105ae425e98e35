package dev.sublet.offset.merge;

import com.google.common.collect.ImmutableList;
import dev.sublet.offset.order.AccessOrder;
import dev.sublet.operator.OperatorCatalog;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The ways to put webs together that are worth a placement each, and what no plan can go below
 * whichever of them it takes.
 *
 * <p>Each shares more than the one before: results of exclusive branches only; with in-place pairs;
 * with views of whole variables; with all views.
 */
public final class CoalescingChoices {

  private final ImmutableList<MergedWebs> ways;
  private final ViewBound bound;

  private CoalescingChoices(ImmutableList<MergedWebs> ways, ViewBound bound) {
    this.ways = ways;
    this.bound = bound;
  }

  /**
   * Finds the ways. O(arguments × log), and for views what {@link ViewCoalescer} says.
   *
   * @param order in which the accesses of webs happen
   * @param catalog where to look in-place pairs up; null to take none
   * @param allowed which views may be taken
   * @param alignment what the distances of views must be multiples of
   */
  public static CoalescingChoices find(
      PlannedWebs webs,
      AccessOrder order,
      @Nullable OperatorCatalog catalog,
      Views allowed,
      long alignment) {
    ImmutableList.Builder<MergedWebs> ways = ImmutableList.builder();
    InPlaceCoalescer merger = InPlaceCoalescer.merge(webs, order, /* catalog= */ null);
    ways.add(MergedWebs.of(merger));
    if (catalog != null) {
      merger = InPlaceCoalescer.merge(webs, order, catalog);
      ways.add(MergedWebs.of(merger));
    }
    for (Views kind : Views.values()) {
      if (kind != Views.NONE && kind.compareTo(allowed) <= 0) {
        ViewCoalescer views = ViewCoalescer.merge(webs, merger, order, kind, alignment);
        if (views.hasViews()) {
          ways.add(MergedWebs.of(merger, views));
        }
      }
    }
    // Of all mergers the last one unites most, and knows what others could.
    ViewBound bound = ViewBound.of(webs, merger.occupancy(), allowed, alignment);
    return new CoalescingChoices(ways.build(), bound);
  }

  /** The ways, those that share less first; at least one. */
  public ImmutableList<MergedWebs> all() {
    return ways;
  }

  /** The bytes that some of the planned webs need if they are alone. O(webs × log). */
  public long lowerBound(IntPredicate isIncluded) {
    return bound.of(isIncluded);
  }
}
