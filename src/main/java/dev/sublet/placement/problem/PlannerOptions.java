package dev.sublet.placement.problem;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * The search budget of the planners, and the order in which some of them take buffers.
 *
 * @param nodes the number of nodes that a search may visit; a node with many consequences counts as
 *     several
 * @param timeoutMillis the time limit of a search; 0 for no limit. A search that reaches the limit
 *     may give another result on another machine, and logs that it was stopped
 * @param order the order in which {@code first-fit} and {@code best-fit} take the buffers
 */
public record PlannerOptions(long nodes, long timeoutMillis, BufferOrder order) {

  /** A number of nodes that takes a few seconds. */
  public static final long DEFAULT_NODES = 4_000_000;

  public PlannerOptions {
    checkArgument(nodes >= 0, "nodes %s", nodes);
    checkArgument(timeoutMillis >= 0, "timeoutMillis %s", timeoutMillis);
    requireNonNull(order, "order");
  }

  /** The default options: the default number of nodes, no time limit, largest buffers first. */
  public static PlannerOptions defaults() {
    return new PlannerOptions(DEFAULT_NODES, /* timeoutMillis= */ 0, BufferOrder.SIZE);
  }
}
