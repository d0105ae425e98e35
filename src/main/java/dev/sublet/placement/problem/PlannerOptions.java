package dev.sublet.placement.problem;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * What planners may spend, and how some of them are to go about it.
 *
 * @param nodes how many nodes a search may visit; one with many consequences counts for several
 * @param timeoutMillis how long a search may take; 0 is for ever. A search that this ends can give
 *     another result on another machine, and says so
 * @param order in which {@code first-fit} and {@code best-fit} take the buffers
 */
public record PlannerOptions(long nodes, long timeoutMillis, BufferOrder order) {

  /** Nodes for a few seconds. */
  public static final long DEFAULT_NODES = 4_000_000;

  public PlannerOptions {
    checkArgument(nodes >= 0, "nodes %s", nodes);
    checkArgument(timeoutMillis >= 0, "timeoutMillis %s", timeoutMillis);
    requireNonNull(order, "order");
  }

  /** The default budget, no timeout, largest first. */
  public static PlannerOptions defaults() {
    return new PlannerOptions(DEFAULT_NODES, /* timeoutMillis= */ 0, BufferOrder.SIZE);
  }
}
