package dev.sublet.plugin;

import static com.google.common.base.Preconditions.checkArgument;

import dev.sublet.placement.problem.PlannerOptions;

/**
 * How much one request may ask for, so that no request keeps the others waiting.
 *
 * @param bytes how long a request may be, up to {@link #LARGEST_BYTES}
 * @param nodes the most nodes that a request may let a search visit for one arena
 * @param millis the most time that a request may give a search; a request that says nothing gets
 *     this, and the search ends with a note when it is over
 */
public record RequestLimits(long bytes, long nodes, long millis) {

  /** The most bytes that can be allowed. */
  public static final long LARGEST_BYTES = Integer.MAX_VALUE - 8;

  public RequestLimits {
    checkArgument(bytes >= 0 && bytes <= LARGEST_BYTES, "bytes %s", bytes);
    checkArgument(nodes >= PlannerOptions.DEFAULT_NODES, "nodes %s", nodes);
    checkArgument(millis >= 1, "millis %s", millis);
  }

  /** 256 MiB, ten times the nodes that a search visits by default, and a minute. */
  public static RequestLimits defaults() {
    return new RequestLimits(256L << 20, 10 * PlannerOptions.DEFAULT_NODES, 60_000);
  }
}
