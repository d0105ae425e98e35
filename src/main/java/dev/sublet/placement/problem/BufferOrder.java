package dev.sublet.placement.problem;

import com.google.common.math.LongMath;
import com.google.common.primitives.Ints;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/** An order in which a planner takes the buffers of a problem. The last tie is the index. */
public enum BufferOrder {
  /** The largest first; of equal ones the one that is live for longer, then the one before. */
  SIZE,
  /** The largest sum of occupied bytes over points first; of equal ones the larger one. */
  AREA,
  /** The one that is live for the most points first; of equal ones the larger one. */
  DURATION,
  /** The one that begins first; of equal ones the larger one. */
  START,
  /**
   * The one that is live together with the most others first, where those with several intervals
   * count once an interval; of equal ones the larger one.
   */
  CONFLICTS;

  /** The buffers of a problem in this order. O(n log n) for n intervals. */
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

  /** The buffers of a problem in the order of a comparator, equal ones by index. O(n log n). */
  public static int[] sort(PlanningProblem problem, Comparator<Integer> comparator) {
    Integer[] order = new Integer[problem.bufferCount()];
    Arrays.setAll(order, buffer -> buffer);
    Arrays.sort(order, comparator);
    return Ints.toArray(Arrays.asList(order));
  }

  /** As {@link #sort(PlanningProblem, Comparator)}, without the pinned buffers. O(n log n). */
  public static int[] sortUnpinned(PlanningProblem problem, Comparator<Integer> comparator) {
    return IntStream.of(sort(problem, comparator)).filter(b -> !problem.isPinned(b)).toArray();
  }

  private static long[] sizes(PlanningProblem problem) {
    long[] sizes = new long[problem.bufferCount()];
    Arrays.setAll(sizes, problem::size);
    return sizes;
  }

  /** Saturated: areas beyond a long are equal. */
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

  /** Of all intervals those that neither end before a buffer's begin nor begin behind their end. */
  private static long[] conflicts(PlanningProblem problem) {
    SortedPoints begins = SortedPoints.begins(problem);
    SortedPoints ends = SortedPoints.ends(problem);
    long[] conflicts = new long[problem.bufferCount()];
    for (int buffer = 0; buffer < conflicts.length; buffer++) {
      for (int i = problem.firstInterval(buffer); i < problem.endInterval(buffer); i++) {
        int begun = begins.countBelow(problem.end(i));
        int ended = ends.countBelow(problem.begin(i) + 1);
        // Not an interval itself.
        conflicts[buffer] += begun - ended - 1;
      }
    }
    return conflicts;
  }
}
