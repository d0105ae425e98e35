package dev.sublet.plan;

import static java.util.Objects.requireNonNull;

/**
 * One stretch of memory that a plan lays buffers out in.
 *
 * @param place the memory that it is in: {@code cpu} or {@code gpu}
 * @param bytes its size
 * @param lowerBound bytes that no plan for the same buffers can go below
 * @param alignment every offset is a multiple of this
 */
public record Arena(String place, long bytes, long lowerBound, long alignment) {

  public Arena {
    requireNonNull(place, "place");
  }

  /** Whether the arena is as small as any can be for these buffers. */
  public boolean isProvedOptimal() {
    return bytes == lowerBound;
  }
}
