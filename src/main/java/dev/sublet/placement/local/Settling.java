package dev.sublet.placement.local;

import java.util.Arrays;

/**
 * Lets rectangles fall, the lowest first, each until it lies on another one or at offset 0.
 *
 * <p>Example: of two rectangles of height 4 that are live together, at the offsets 3 and 9, the
 * first one falls to 0 and the second one to 4.
 *
 * <p>No rectangle rises, and the offsets are sums of heights. O(n k log n) for rectangles that are
 * live with k others.
 */
final class Settling {

  private Settling() {}

  /** Returns the offsets of the rectangles after their fall. */
  static long[] settle(Rectangles rectangles, long[] offsets) {
    int[] byOffset = byOffset(offsets);
    LiveTogether live = new LiveTogether(rectangles);
    long[] settled = new long[offsets.length];
    boolean[] isSettled = new boolean[offsets.length];
    for (int rectangle : byOffset) {
      int[] together = live.with(rectangle);
      long lowest = 0;
      for (int i = 0; i < live.hits(); i++) {
        int other = together[i];
        if (isSettled[other]) {
          lowest = Math.max(lowest, settled[other] + rectangles.heights[other]);
        }
      }
      settled[rectangle] = lowest;
      isSettled[rectangle] = true;
    }
    return settled;
  }

  /** Sorts rectangles by offset, then by index, without an object for each. */
  private static int[] byOffset(long[] offsets) {
    long[] ranks = offsets.clone();
    Arrays.sort(ranks);
    long[] keys = new long[offsets.length];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = (long) rank(ranks, offsets[i]) << 32 | i;
    }
    Arrays.sort(keys);
    int[] sorted = new int[keys.length];
    for (int i = 0; i < keys.length; i++) {
      sorted[i] = (int) keys[i];
    }
    return sorted;
  }

  /** A position of an offset among the sorted ones, the same for equal offsets. */
  private static int rank(long[] sorted, long offset) {
    return Arrays.binarySearch(sorted, offset);
  }
}
