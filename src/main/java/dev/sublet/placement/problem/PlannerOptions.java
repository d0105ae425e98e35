package dev.sublet.placement.problem;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import java.util.ArrayList;
import java.util.List;

/**
 * The search budget of the planners, and the order in which some of them take buffers.
 *
 * @param nodes the number of nodes that a search may visit; a node with many consequences counts as
 *     several
 * @param timeoutMillis the time limit of a search; 0 for no limit. A search that reaches the limit
 *     may give another result on another machine, and logs that it was stopped
 * @param gap the distance to the lower bound at which a search stops
 * @param order the order in which {@code first-fit} and {@code best-fit} take the buffers
 */
public record PlannerOptions(long nodes, long timeoutMillis, Gap gap, BufferOrder order) {

  /**
   * The factor between budgets: a tenfold number of nodes never gives a larger arena; see {@link
   * #parts}.
   */
  private static final long STEP = 10;

  /** The least number of nodes of a part: a search that starts anew too early learns little. */
  private static final long LEAST_PART = 1_000_000;

  /** Throws {@link IllegalArgumentException} if a budget is negative. */
  public PlannerOptions {
    checkArgument(nodes >= 0, "nodes %s", nodes);
    checkArgument(timeoutMillis >= 0, "timeoutMillis %s", timeoutMillis);
    requireNonNull(gap, "gap");
    requireNonNull(order, "order");
  }

  /** Creates options without a gap: a search goes on until its arena is proved. */
  public PlannerOptions(long nodes, long timeoutMillis, BufferOrder order) {
    this(nodes, timeoutMillis, Gap.NONE, order);
  }

  /** The options of {@link SearchEffort#NORMAL} for a table: 4,000,000 nodes, a few seconds. */
  public static PlannerOptions defaults() {
    return SearchEffort.NORMAL.forTables();
  }

  /** The same options with another number of nodes. */
  public PlannerOptions withNodes(long newNodes) {
    return new PlannerOptions(newNodes, timeoutMillis, gap, order);
  }

  /** The same options with another gap. */
  public PlannerOptions withGap(Gap newGap) {
    return new PlannerOptions(nodes, timeoutMillis, newGap, order);
  }

  /** The same options with another order of buffers. */
  public PlannerOptions withOrder(BufferOrder newOrder) {
    return new PlannerOptions(nodes, timeoutMillis, gap, newOrder);
  }

  /** The same options with what is left of a time limit, at least a millisecond. */
  public PlannerOptions afterMillis(long millis) {
    return timeoutMillis == 0
        ? this
        : new PlannerOptions(nodes, Math.max(1, timeoutMillis - millis), gap, order);
  }

  /**
   * Divides the budget among searches that run one after the other, each from the result of the one
   * before: a tenth first, divided in the same way, then the rest.
   *
   * <p>Example: 10,000,000 nodes are 1,000,000 and 9,000,000; 100,000,000 are these two and
   * 90,000,000. So the searches of the larger budget begin with those of the smaller one, and its
   * arena is never larger, unless a time limit ends one of them.
   */
  public ImmutableList<PlannerOptions> parts() {
    List<Long> ends = new ArrayList<>(List.of(nodes));
    while (ends.get(0) / STEP >= LEAST_PART) {
      ends.add(0, ends.get(0) / STEP);
    }
    ImmutableList.Builder<PlannerOptions> parts = ImmutableList.builder();
    long begin = 0;
    for (long end : ends) {
      parts.add(withNodes(end - begin));
      begin = end;
    }
    return parts.build();
  }
}
