package dev.sublet.plan;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * One of several memories that the buffers of a place are spread over.
 *
 * @param name what its user calls it; not empty
 * @param capacity the most bytes that an arena in it may have; {@link #UNLIMITED} if any
 */
public record Pool(String name, long capacity) {

  /** The capacity of a memory that holds whatever it is given. */
  public static final long UNLIMITED = Long.MAX_VALUE;

  public Pool {
    requireNonNull(name, "name");
    checkArgument(!name.isEmpty(), "a pool without a name");
    checkArgument(capacity >= 1, "capacity %s", capacity);
  }

  /** Whether there is a limit. */
  public boolean isLimited() {
    return capacity != UNLIMITED;
  }
}
