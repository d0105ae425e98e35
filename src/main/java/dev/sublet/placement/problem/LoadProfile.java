package dev.sublet.placement.problem;

/**
 * How many bytes are live at each point, while buffers come and go: a segment tree with range
 * addition and range maximum. O(log points) an operation.
 */
public final class LoadProfile {

  private final int leaves;
  private final long[] greatest;
  private final long[] pending;

  /** Nothing is live at any of so many points. */
  public LoadProfile(int points) {
    leaves = Math.max(1, Integer.highestOneBit(Math.max(1, 2 * points - 1)));
    greatest = new long[2 * leaves];
    pending = new long[2 * leaves];
  }

  /** Adds bytes, perhaps fewer than none, at the points of {@code [begin, end)}. */
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

  /** The most bytes at a point of {@code [begin, end)}; 0 if it is empty. */
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
