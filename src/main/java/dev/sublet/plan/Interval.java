package dev.sublet.plan;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * A half-open, non-empty stretch of program points.
 *
 * @param begin the first point
 * @param end the first point after it
 */
public record Interval(int begin, int end) {

  public Interval {
    checkArgument(begin < end, "[%s, %s) is empty", begin, end);
  }

  /** Whether the two have a point in common. */
  public boolean overlaps(Interval other) {
    return begin < other.end && other.begin < end;
  }

  @Override
  public String toString() {
    return "[" + begin + ", " + end + ")";
  }
}
