package dev.sublet.offset;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.sublet.offset.merge.Views;
import dev.sublet.placement.Planners;
import dev.sublet.placement.problem.Gap;
import dev.sublet.placement.problem.PlannerOptions;
import dev.sublet.placement.problem.SearchEffort;
import dev.sublet.plan.ExecutionOrder;
import dev.sublet.plan.Pool;

/**
 * The options of offset planning.
 *
 * @param planner the planner's name
 * @param alignment every offset is a multiple of this; 1 to {@link #MAX_ALIGNMENT}
 * @param inPlace whether an output may share the bytes of an input that dies at its operator
 * @param order in which order the operators may run
 * @param views which variables may share bytes with others that contain the same values
 * @param search what the planner may spend, and how it is to go about it
 * @param capacity an arena of more bytes is an error; or {@link #NO_CAPACITY}
 * @param hierarchical whether each block is planned by itself, see {@link RecursivePlacement}; not
 *     for the parallel order
 * @param pools the memories of the memory space that the program runs in, fast ones first, with
 *     different names, all but the last limited; empty if there is one memory
 */
public record OffsetOptions(
    String planner,
    long alignment,
    boolean inPlace,
    ExecutionOrder order,
    Views views,
    PlannerOptions search,
    long capacity,
    boolean hierarchical,
    ImmutableList<Pool> pools) {

  /** The largest alignment: 1 GiB. */
  public static final long MAX_ALIGNMENT = 1L << 30;

  /** The capacity of an arena that may have any size. */
  public static final long NO_CAPACITY = Long.MAX_VALUE;

  /**
   * Throws {@link IllegalArgumentException} if the alignment or the capacity is out of range, a
   * pool without a limit is not the last one, or the plan is to be made block by block for parallel
   * execution.
   */
  public OffsetOptions {
    requireNonNull(planner, "planner");
    requireNonNull(order, "order");
    requireNonNull(views, "views");
    requireNonNull(search, "search");
    requireNonNull(pools, "pools");
    checkArgument(
        !hierarchical || order == ExecutionOrder.SEQUENTIAL, "block by block, but not in order");
    for (int i = 0; i + 1 < pools.size(); i++) {
      checkArgument(pools.get(i).isLimited(), "%s is unlimited, but not the last", pools.get(i));
    }
    checkArgument(capacity >= 1, "capacity %s", capacity);
    checkArgument(alignment >= 1 && alignment <= MAX_ALIGNMENT, "alignment %s", alignment);
  }

  /**
   * Makes options with the sequential order, the default budget of a program, one memory of any
   * size, and all blocks together.
   */
  public OffsetOptions(String planner, long alignment, boolean inPlace, Views views) {
    this(
        planner,
        alignment,
        inPlace,
        ExecutionOrder.SEQUENTIAL,
        views,
        SearchEffort.NORMAL.forPrograms(),
        NO_CAPACITY,
        /* hierarchical= */ false,
        /* pools= */ ImmutableList.of());
  }

  /**
   * The default options for a program: the best planner, 64-byte alignment, in-place pairs, views
   * of whole variables.
   */
  public static OffsetOptions defaults() {
    return new OffsetOptions(Planners.BEST, 64, /* inPlace= */ true, Views.RESHAPE);
  }

  /**
   * The default options for a table of buffers: the best planner, no alignment, and the budget of
   * {@link SearchEffort#forTables}.
   */
  public static OffsetOptions forTables() {
    return defaults().withAlignment(1).withSearch(SearchEffort.NORMAL.forTables());
  }

  /** The same options with another planner, of {@link Planners#names}. */
  public OffsetOptions withPlanner(String newPlanner) {
    return new OffsetOptions(
        newPlanner, alignment, inPlace, order, views, search, capacity, hierarchical, pools);
  }

  /** The same options with another alignment. */
  public OffsetOptions withAlignment(long newAlignment) {
    return new OffsetOptions(
        planner, newAlignment, inPlace, order, views, search, capacity, hierarchical, pools);
  }

  /** The same options, with or without in-place pairs. */
  public OffsetOptions withInPlace(boolean newInPlace) {
    return new OffsetOptions(
        planner, alignment, newInPlace, order, views, search, capacity, hierarchical, pools);
  }

  /** The same options with other views. */
  public OffsetOptions withViews(Views newViews) {
    return new OffsetOptions(
        planner, alignment, inPlace, order, newViews, search, capacity, hierarchical, pools);
  }

  /**
   * The same options for a plan whose size is only a first estimate: nothing is searched, and no
   * capacity asks for a smaller arena. Its lower bounds hold for every plan with these options.
   */
  public OffsetOptions drafting() {
    return withSearch(search.withGap(new Gap(Gap.MAX_PERCENT))).withCapacity(NO_CAPACITY);
  }

  /** The same options with another budget. */
  public OffsetOptions withSearch(PlannerOptions newSearch) {
    return new OffsetOptions(
        planner, alignment, inPlace, order, views, newSearch, capacity, hierarchical, pools);
  }

  /** The same options for another order of execution. */
  public OffsetOptions withOrder(ExecutionOrder newOrder) {
    return new OffsetOptions(
        planner, alignment, inPlace, newOrder, views, search, capacity, hierarchical, pools);
  }

  /** The same options with another capacity of every arena, or {@link #NO_CAPACITY}. */
  public OffsetOptions withCapacity(long newCapacity) {
    return new OffsetOptions(
        planner, alignment, inPlace, order, views, search, newCapacity, hierarchical, pools);
  }

  /** The same options, with each block planned by itself or all together. */
  public OffsetOptions withHierarchical(boolean newHierarchical) {
    return new OffsetOptions(
        planner, alignment, inPlace, order, views, search, capacity, newHierarchical, pools);
  }

  /** The same options with other memories. */
  public OffsetOptions withPools(ImmutableList<Pool> newPools) {
    return new OffsetOptions(
        planner, alignment, inPlace, order, views, search, capacity, hierarchical, newPools);
  }
}
