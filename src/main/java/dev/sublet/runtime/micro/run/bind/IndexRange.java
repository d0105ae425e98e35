package dev.sublet.runtime.micro.run.bind;

/**
 * The integers between two, both included.
 *
 * @param low the least
 * @param high the largest, not below {@code low}
 */
public record IndexRange(long low, long high) {

  /** Whether all of them are indices of an axis. */
  public boolean isInside(long extent) {
    return low >= 0 && high < extent;
  }
}
