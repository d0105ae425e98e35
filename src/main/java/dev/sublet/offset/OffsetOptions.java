package dev.sublet.offset;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

import dev.sublet.plan.ExecutionOrder;

/**
 * How offsets are planned.
 *
 * @param planner the planner's name
 * @param alignment every offset is a multiple of this; 1 to {@link #MAX_ALIGNMENT}
 * @param inPlace whether an output may lie on an input that dies at its operator
 * @param order in which order the operators may run
 * @param views which variables may lie in the bytes of others that hold the same bytes
 * @param search what the planner may spend, and how it is to go about it
 * @param capacity an arena of more bytes is an error; or {@link #NO_CAPACITY}
 */
public record OffsetOptions(
    String planner,
    long alignment,
    boolean inPlace,
    ExecutionOrder order,
    Views views,
    PlannerOptions search,
    long capacity) {

  /** The largest alignment: 1 GiB. */
  public static final long MAX_ALIGNMENT = 1L << 30;

  /** The capacity of an arena that may have any size. */
  public static final long NO_CAPACITY = Long.MAX_VALUE;

  public OffsetOptions {
    requireNonNull(planner, "planner");
    requireNonNull(order, "order");
    requireNonNull(views, "views");
    requireNonNull(search, "search");
    checkArgument(capacity >= 1, "capacity %s", capacity);
    checkArgument(alignment >= 1 && alignment <= MAX_ALIGNMENT, "alignment %s", alignment);
  }

  /** The sequential order, the default budget, and arenas of any size. */
  public OffsetOptions(String planner, long alignment, boolean inPlace, Views views) {
    this(
        planner,
        alignment,
        inPlace,
        ExecutionOrder.SEQUENTIAL,
        views,
        PlannerOptions.defaults(),
        NO_CAPACITY);
  }

  /** The best planner, 64-byte alignment, in place, views of whole variables. */
  public static OffsetOptions defaults() {
    return new OffsetOptions(BestPlanner.NAME, 64, /* inPlace= */ true, Views.RESHAPE);
  }

  /** The same options with another alignment. */
  public OffsetOptions withAlignment(long newAlignment) {
    return new OffsetOptions(planner, newAlignment, inPlace, order, views, search, capacity);
  }

  /** The same options for another order of execution. */
  public OffsetOptions withOrder(ExecutionOrder newOrder) {
    return new OffsetOptions(planner, alignment, inPlace, newOrder, views, search, capacity);
  }
}
