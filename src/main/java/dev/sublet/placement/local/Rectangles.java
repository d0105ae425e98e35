package dev.sublet.placement.local;

import dev.sublet.placement.problem.BufferOrder;
import dev.sublet.placement.problem.PlanningProblem;
import java.util.Arrays;
import java.util.Comparator;

/**
 * Buffers with one interval each, as rectangles of time and bytes. Immutable.
 *
 * <p>Points are numbered in ascending order, without those at which nothing begins or ends. Heights
 * and offsets are multiples of the common alignment, and counted in it. The order of the rectangles
 * depends on the problem alone: by first point, then the longest, the largest first; equal ones are
 * interchangeable.
 */
final class Rectangles {

  final int count;

  /** The number of points. */
  final int points;

  final int[] begins;
  final int[] ends;
  final long[] heights;

  /** The greatest sum of the heights at a point: no placement is smaller. */
  final long load;

  private Rectangles(int[] begins, int[] ends, long[] heights, int points) {
    this.count = begins.length;
    this.points = points;
    this.begins = begins;
    this.ends = ends;
    this.heights = heights;
    load = findLoad();
  }

  /** Returns rectangles with these bounds, in this order. O(n log n). */
  static Rectangles of(int[] begins, int[] ends, long[] heights) {
    int[] all = Arrays.copyOf(begins, begins.length + ends.length);
    System.arraycopy(ends, 0, all, begins.length, ends.length);
    Arrays.sort(all);
    int points = 0;
    for (int i = 0; i < all.length; i++) {
      if (i == 0 || all[i] != all[i - 1]) {
        all[points++] = all[i];
      }
    }
    int[] from = new int[begins.length];
    int[] to = new int[begins.length];
    for (int i = 0; i < from.length; i++) {
      from[i] = Arrays.binarySearch(all, 0, points, begins[i]);
      to[i] = Arrays.binarySearch(all, 0, points, ends[i]);
    }
    return new Rectangles(from, to, heights, points);
  }

  /** Returns the rectangles of some buffers of a problem, see {@link #order}. O(n log n). */
  static Rectangles of(PlanningProblem problem, int[] order) {
    int[] begins = new int[order.length];
    int[] ends = new int[order.length];
    long[] heights = new long[order.length];
    for (int i = 0; i < order.length; i++) {
      begins[i] = problem.firstPoint(order[i]);
      ends[i] = problem.lastPoint(order[i]);
      heights[i] = problem.align(problem.size(order[i])) / problem.alignment();
    }
    return of(begins, ends, heights);
  }

  /** Returns the buffers of a problem in the order of their rectangles. O(n log n). */
  static int[] order(PlanningProblem problem) {
    return BufferOrder.sort(
        problem,
        Comparator.<Integer>comparingInt(problem::firstPoint)
            .thenComparing(Comparator.<Integer>comparingInt(problem::lastPoint).reversed())
            .thenComparing(Comparator.<Integer>comparingLong(problem::size).reversed()));
  }

  /** Returns the same rectangles in reversed time. O(n). */
  Rectangles reversed() {
    int[] from = new int[count];
    int[] to = new int[count];
    for (int i = 0; i < count; i++) {
      from[i] = points - 1 - ends[i];
      to[i] = points - 1 - begins[i];
    }
    return new Rectangles(from, to, heights, points);
  }

  /** The area of a rectangle, in points times units. */
  double area(int rectangle) {
    return (double) heights[rectangle] * (ends[rectangle] - begins[rectangle]);
  }

  /** Returns the first unit above all rectangles at these offsets. O(n). */
  long top(long[] offsets) {
    long top = 0;
    for (int i = 0; i < count; i++) {
      top = Math.max(top, offsets[i] + heights[i]);
    }
    return top;
  }

  private long findLoad() {
    long[] changes = new long[points + 1];
    for (int i = 0; i < count; i++) {
      changes[begins[i]] += heights[i];
      changes[ends[i]] -= heights[i];
    }
    long most = 0;
    long current = 0;
    for (long change : changes) {
      current += change;
      most = Math.max(most, current);
    }
    return most;
  }
}
