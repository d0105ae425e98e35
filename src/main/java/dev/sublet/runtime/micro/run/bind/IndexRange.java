package dev.sublet.runtime.micro.run.bind;

/**
 * A range of integers, both ends included.
 *
 * @param low the least integer
 * @param high the greatest integer, at least {@code low}
 */
public record IndexRange(long low, long high) {

  /** Whether the whole range is within an axis of an extent. */
  public boolean isInside(long extent) {
    return low >= 0 && high < extent;
  }
}
