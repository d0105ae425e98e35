package dev.sublet.offset.merge;

import com.google.common.base.Suppliers;
import com.google.common.collect.ImmutableList;
import dev.sublet.diag.ProgramException;
import dev.sublet.offset.order.AccessOrder;
import dev.sublet.operator.OperatorCatalog;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The ways to put webs together that are worth a placement each, and a lower bound on the arena
 * that holds for all of them.
 *
 * <p>Each way shares more than the one before: first only results of exclusive branches; then also
 * in-place pairs; then also views of whole variables; then all views. Each puts the feed and the
 * result of a requested alias together.
 */
public final class CoalescingChoices {

  private final ImmutableList<MergedWebs> ways;
  private final ViewBound bound;
  private final Supplier<Long> boundOfAll;

  private CoalescingChoices(ImmutableList<MergedWebs> ways, ViewBound bound) {
    this.ways = ways;
    this.bound = bound;
    this.boundOfAll = Suppliers.memoize(() -> bound.of(web -> true));
  }

  /**
   * Finds the ways. O(arguments × log), and for views the cost of {@link ViewCoalescer}.
   *
   * @param order in which the accesses of webs happen
   * @param catalog the catalog with the in-place pairs; null to take none
   * @param allowed which views may be taken
   * @param alignment the distances of views must be multiples of this
   * @throws ProgramException if a requested alias is not possible
   */
  public static CoalescingChoices find(
      PlannedWebs webs,
      AccessOrder order,
      @Nullable OperatorCatalog catalog,
      Views allowed,
      long alignment) {
    ImmutableList.Builder<MergedWebs> ways = ImmutableList.builder();
    InPlaceCoalescer merger =
        InPlaceCoalescer.merge(webs, order, catalog, /* onlyRequested= */ true);
    ways.add(MergedWebs.of(merger));
    if (catalog != null) {
      merger = InPlaceCoalescer.merge(webs, order, catalog, /* onlyRequested= */ false);
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
    // The last merger unites most, and its occupancy also records the pairs that it did not take.
    ViewBound bound = ViewBound.of(webs, merger, allowed, alignment);
    return new CoalescingChoices(ways.build(), bound);
  }

  /** The ways, in the order of increasing sharing; at least one. */
  public ImmutableList<MergedWebs> all() {
    return ways;
  }

  /** A lower bound on the bytes that all planned webs need. O(webs × log), computed once. */
  public long lowerBound() {
    return boundOfAll.get();
  }

  /**
   * A lower bound on the bytes that some of the planned webs need, without regard to the others.
   * O(webs × log).
   */
  public long lowerBound(IntPredicate isIncluded) {
    return bound.of(isIncluded);
  }
}
