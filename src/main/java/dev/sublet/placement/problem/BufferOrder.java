package dev.sublet.placement.problem;

import com.google.common.math.LongMath;
import com.google.common.primitives.Ints;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * An order in which a planner takes the buffers of a problem. Remaining ties are broken by the
 * first point, then by the index.
 */
public enum BufferOrder {
  /** By descending size, then by descending duration. */
  SIZE,
  /**
   * By descending area (the sum of the occupied bytes over all points), then by descending size.
   */
  AREA,
  /** By descending duration (the number of points at which a buffer is live), then by size. */
  DURATION,
  /** By ascending first point, then by descending size. */
  START,
  /**
   * By the descending number of overlaps between intervals of the buffer and those of others, then
   * by descending size. A buffer with several intervals counts once per interval.
   */
  CONFLICTS;

  /** Returns the buffers of a problem in this order. O(n log n) for n intervals. */
  public int[] sort(PlanningProblem problem) {
    long[] keys =
        switch (this) {
          case SIZE -> sizes(problem);
          case AREA -> areas(problem);
          case DURATION -> durations(problem);
          case START -> starts(problem);
          case CONFLICTS -> conflicts(problem);
        };
    long[] ties = this == SIZE ? durations(problem) : sizes(problem);
    return sort(
        problem,
        Comparator.<Integer>comparingLong(buffer -> -keys[buffer])
            .thenComparingLong(buffer -> -ties[buffer])
            .thenComparingInt(problem::firstPoint));
  }

  /**
   * Returns the buffers of a problem in the order of a comparator, equal ones by index. O(n log n).
   */
  public static int[] sort(PlanningProblem problem, Comparator<Integer> comparator) {
    Integer[] order = new Integer[problem.bufferCount()];
    Arrays.setAll(order, buffer -> buffer);
    Arrays.sort(order, comparator);
    return Ints.toArray(Arrays.asList(order));
  }

  /**
   * Sorts as {@link #sort(PlanningProblem, Comparator)} does, and leaves out the pinned buffers.
   * O(n log n).
   */
  public static int[] sortUnpinned(PlanningProblem problem, Comparator<Integer> comparator) {
    return IntStream.of(sort(problem, comparator)).filter(b -> !problem.isPinned(b)).toArray();
  }

  private static long[] sizes(PlanningProblem problem) {
    long[] sizes = new long[problem.bufferCount()];
    Arrays.setAll(sizes, problem::size);
    return sizes;
  }

  /** The areas of the buffers, saturated: all areas that exceed a {@code long} are equal. */
  private static long[] areas(PlanningProblem problem) {
    long[] areas = new long[problem.bufferCount()];
    for (int buffer = 0; buffer < areas.length; buffer++) {
      for (int i = problem.firstInterval(buffer); i < problem.endInterval(buffer); i++) {
        long points = (long) problem.end(i) - problem.begin(i);
        areas[buffer] =
            LongMath.saturatedAdd(
                areas[buffer], LongMath.saturatedMultiply(problem.bytes(i), points));
      }
    }
    return areas;
  }

  private static long[] durations(PlanningProblem problem) {
    long[] durations = new long[problem.bufferCount()];
    for (int buffer = 0; buffer < durations.length; buffer++) {
      for (int i = problem.firstInterval(buffer); i < problem.endInterval(buffer); i++) {
        durations[buffer] += (long) problem.end(i) - problem.begin(i);
      }
    }
    return durations;
  }

  private static long[] starts(PlanningProblem problem) {
    long[] starts = new long[problem.bufferCount()];
    Arrays.setAll(starts, buffer -> -(long) problem.firstPoint(buffer));
    return starts;
  }

  /**
   * Counts, per buffer, the intervals that overlap one of its own: begun before its end, and not
   * yet ended at its begin.
   */
  private static long[] conflicts(PlanningProblem problem) {
    SortedPoints begins = SortedPoints.begins(problem);
    SortedPoints ends = SortedPoints.ends(problem);
    long[] conflicts = new long[problem.bufferCount()];
    for (int buffer = 0; buffer < conflicts.length; buffer++) {
      for (int i = problem.firstInterval(buffer); i < problem.endInterval(buffer); i++) {
        int begun = begins.countBelow(problem.end(i));
        int ended = ends.countBelow(problem.begin(i) + 1);
        // Minus one for the interval itself.
        conflicts[buffer] += begun - ended - 1;
      }
    }
    return conflicts;
  }
}
