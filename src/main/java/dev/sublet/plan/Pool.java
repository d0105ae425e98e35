package dev.sublet.plan;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * One of several memories of a memory space, over which a plan distributes the buffers.
 *
 * @param name the name that the user gives it; not empty
 * @param capacity the maximum size of an arena in the pool, in bytes, or {@link #UNLIMITED}
 */
public record Pool(String name, long capacity) {

  /** The capacity of a pool without a limit. */
  public static final long UNLIMITED = Long.MAX_VALUE;

  /**
   * Throws {@link IllegalArgumentException} if the name is empty or the capacity is less than one
   * byte.
   */
  public Pool {
    requireNonNull(name, "name");
    checkArgument(!name.isEmpty(), "a pool without a name");
    checkArgument(capacity >= 1, "capacity %s", capacity);
  }

  /** Whether the pool has a limit. */
  public boolean isLimited() {
    return capacity != UNLIMITED;
  }
}
