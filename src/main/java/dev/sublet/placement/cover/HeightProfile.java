package dev.sublet.placement.cover;

import dev.sublet.placement.problem.PlanningProblem;
import java.util.Arrays;

/**
 * The height that stacked buffers have reached at each point: a segment tree over the points at
 * which an interval begins or ends, with range maximum and range raise. O(log points) per
 * operation, O(intervals) space.
 *
 * <p>Heights never fall. A height stored at an inner node therefore remains a lower bound for all
 * points below the node, and need not be pushed down.
 */
final class HeightProfile {

  /** The points, ascending; a leaf stands for the range from one point to the next. */
  private final int[] points;

  private final int leaves;

  /** By node: the greatest height below it, from the raises at this node and below it. */
  private final long[] greatest;

  /** By node: a height that every point below it has at least. */
  private final long[] floors;

  /** Creates a profile of height 0 at every point of a problem. O(intervals × log). */
  HeightProfile(PlanningProblem problem) {
    points = points(problem);
    leaves = Math.max(1, Integer.highestOneBit(Math.max(1, points.length - 1)) * 2);
    greatest = new long[2 * leaves];
    floors = new long[2 * leaves];
  }

  private static int[] points(PlanningProblem problem) {
    int count = problem.intervalCount();
    int[] all = new int[2 * count];
    for (int i = 0; i < count; i++) {
      all[2 * i] = problem.begin(i);
      all[2 * i + 1] = problem.end(i);
    }
    Arrays.sort(all);
    int distinct = 0;
    for (int i = 0; i < all.length; i++) {
      if (i == 0 || all[i] != all[i - 1]) {
        all[distinct++] = all[i];
      }
    }
    return Arrays.copyOf(all, distinct);
  }

  /** Returns the greatest height in {@code [begin, end)}, between two points of the problem. */
  long highest(int begin, int end) {
    int left = leaves + leaf(begin);
    int right = leaves + leaf(end);
    long height = Math.max(floorAbove(left), floorAbove(right - 1));
    while (left < right) {
      if ((left & 1) == 1) {
        height = Math.max(height, greatest[left++]);
      }
      if ((right & 1) == 1) {
        height = Math.max(height, greatest[--right]);
      }
      left >>= 1;
      right >>= 1;
    }
    return height;
  }

  private long floorAbove(int leaf) {
    long floor = 0;
    for (int node = leaf >> 1; node > 0; node >>= 1) {
      floor = Math.max(floor, floors[node]);
    }
    return floor;
  }

  /** Raises every point of {@code [begin, end)}, between two points of the problem, to a height. */
  void raise(int begin, int end, long height) {
    int left = leaves + leaf(begin);
    int right = leaves + leaf(end);
    raiseAncestors(left, height);
    raiseAncestors(right - 1, height);
    while (left < right) {
      if ((left & 1) == 1) {
        raiseNode(left++, height);
      }
      if ((right & 1) == 1) {
        raiseNode(--right, height);
      }
      left >>= 1;
      right >>= 1;
    }
  }

  private void raiseNode(int node, long height) {
    greatest[node] = Math.max(greatest[node], height);
    floors[node] = Math.max(floors[node], height);
  }

  private void raiseAncestors(int leaf, long height) {
    for (int node = leaf >> 1; node > 0; node >>= 1) {
      greatest[node] = Math.max(greatest[node], height);
    }
  }

  private int leaf(int point) {
    return Arrays.binarySearch(points, point);
  }
}
