package dev.sublet.placement.problem;

/**
 * The number of bytes that are live at each point, updated as buffers are added and removed: a
 * segment tree with range addition and range maximum. O(log points) per operation.
 */
public final class LoadProfile {

  private final int leaves;
  private final long[] greatest;
  private final long[] pending;

  /** Creates a profile of the given number of points, at which nothing is live. */
  public LoadProfile(int points) {
    leaves = Math.max(1, Integer.highestOneBit(Math.max(1, 2 * points - 1)));
    greatest = new long[2 * leaves];
    pending = new long[2 * leaves];
  }

  /** Adds a number of bytes, which may be negative, at the points of {@code [begin, end)}. */
  public void add(int begin, int end, long bytes) {
    add(1, 0, leaves, begin, end, bytes);
  }

  private void add(int node, int first, int width, int begin, int end, long bytes) {
    if (end <= first || first + width <= begin) {
      return;
    }
    if (begin <= first && first + width <= end) {
      greatest[node] += bytes;
      pending[node] += bytes;
      return;
    }
    int half = width / 2;
    add(2 * node, first, half, begin, end, bytes);
    add(2 * node + 1, first + half, half, begin, end, bytes);
    greatest[node] = pending[node] + Math.max(greatest[2 * node], greatest[2 * node + 1]);
  }

  /** Returns the maximum over the points of {@code [begin, end)}, or 0 if there are none. */
  public long greatest(int begin, int end) {
    return Math.max(0, greatest(1, 0, leaves, begin, end));
  }

  private long greatest(int node, int first, int width, int begin, int end) {
    if (end <= first || first + width <= begin) {
      return Long.MIN_VALUE / 2;
    }
    if (begin <= first && first + width <= end) {
      return greatest[node];
    }
    int half = width / 2;
    long left = greatest(2 * node, first, half, begin, end);
    long right = greatest(2 * node + 1, first + half, half, begin, end);
    return pending[node] + Math.max(left, right);
  }
}
