package dev.sublet.plugin;

import static com.google.common.base.Preconditions.checkArgument;

import dev.sublet.placement.problem.PlannerOptions;

/**
 * The limits of one request, so that no request keeps the others waiting.
 *
 * @param bytes the maximum length of a request, up to {@link #LARGEST_BYTES}
 * @param nodes the maximum number of nodes that a request may allow a search to visit per arena
 * @param millis the maximum time that a request may allow a search, and the time of a request that
 *     sets no time; a search that reaches it ends with a note
 */
public record RequestLimits(long bytes, long nodes, long millis) {

  /** The largest possible value of {@code bytes}. */
  public static final long LARGEST_BYTES = Integer.MAX_VALUE - 8;

  /**
   * Throws {@link IllegalArgumentException} if the limit of bytes is negative or above {@link
   * #LARGEST_BYTES}, the limit of nodes is below the default of a search, or no millisecond is
   * allowed.
   */
  public RequestLimits {
    checkArgument(bytes >= 0 && bytes <= LARGEST_BYTES, "bytes %s", bytes);
    checkArgument(nodes >= PlannerOptions.defaults().nodes(), "nodes %s", nodes);
    checkArgument(millis >= 1, "millis %s", millis);
  }

  /**
   * The default limits: 256 MiB, ten times the default number of nodes of a search, and a minute.
   */
  public static RequestLimits defaults() {
    return new RequestLimits(256L << 20, 10 * PlannerOptions.defaults().nodes(), 60_000);
  }
}
