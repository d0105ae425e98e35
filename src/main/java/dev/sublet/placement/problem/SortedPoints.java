package dev.sublet.placement.problem;

import java.util.Arrays;

/** Points in ascending order, with repetitions. Immutable. */
public final class SortedPoints {

  private final int[] points;

  private SortedPoints(int[] points) {
    this.points = points;
    Arrays.sort(points);
  }

  /** Sorts points that are given in any order. O(n log n). */
  public static SortedPoints of(int[] points) {
    return new SortedPoints(points.clone());
  }

  /** Returns the points at which the intervals of a problem begin. O(n log n). */
  static SortedPoints begins(PlanningProblem problem) {
    int[] points = new int[problem.intervalCount()];
    Arrays.setAll(points, problem::begin);
    return new SortedPoints(points);
  }

  /** Returns the first points after the intervals of a problem. O(n log n). */
  static SortedPoints ends(PlanningProblem problem) {
    int[] points = new int[problem.intervalCount()];
    Arrays.setAll(points, problem::end);
    return new SortedPoints(points);
  }

  /** The point at a position. */
  int get(int position) {
    return points[position];
  }

  /**
   * Counts the points below one. This is also the position of the first point that is not below it.
   * O(log n).
   */
  public int countBelow(int point) {
    int low = 0;
    int high = points.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (points[middle] < point) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
