package dev.sublet.placement.cover;

import dev.sublet.placement.problem.PlanningProblem;
import java.util.Arrays;

/**
 * How high the bytes reach at each point while buffers are stacked on each other: a segment tree
 * over the points at which anything begins or ends, with range maximum and range raise. O(log
 * points) an operation, O(intervals) space.
 *
 * <p>Heights never fall, so what a raise leaves at an inner node holds for all points below it for
 * ever and need not be pushed down.
 */
final class HeightProfile {

  /** The points, ascending; a leaf stands for the stretch from one to the next. */
  private final int[] points;

  private final int leaves;

  /** By node: the greatest height below it, as far as raises at it and below it tell. */
  private final long[] greatest;

  /** By node: every point below it is at least so high. */
  private final long[] floors;

  /** Height 0 at every point of a problem. O(intervals × log). */
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

  /** The greatest height in {@code [begin, end)}, two points of the problem. */
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

  /** Raises every point of {@code [begin, end)}, two points of the problem, to a height. */
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
