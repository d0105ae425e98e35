package dev.sublet.placement.greedy;

import com.google.common.primitives.Ints;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.placement.problem.IntervalIndex;
import dev.sublet.placement.problem.Placement;
import dev.sublet.placement.problem.Planner;
import dev.sublet.placement.problem.PlannerOptions;
import dev.sublet.placement.problem.PlanningProblem;
import java.util.Arrays;
import java.util.Comparator;

/**
 * Places the buffers of the points with the most live bytes first. At each point it takes the
 * buffers that are live there and not yet placed, the largest first. Each goes into the smallest
 * gap that is large enough, as with {@link GreedyBySizePlanner}. Of points with equally many bytes
 * the earliest comes first; of equal buffers the one that begins first, then the one with the
 * smaller index.
 *
 * <p>Source: "greedy by breadth" of Pisarchyk and Lee, "Efficient Memory Management for Deep Neural
 * Net Inference", 2020, section 5.3. The operators of the paper are points here. Points at which no
 * interval begins are left out, because every buffer that is live there was already live at the
 * last point at which an interval begins. Added here: gaps in live ranges, windows, pins, each
 * buffer's own alignment.
 *
 * <p>O(n log n) for the order; the placement costs as much as with {@link GreedyBySizePlanner}.
 */
final class GreedyByBreadthPlanner implements Planner {

  static final String NAME = "greedy-breadth";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Placement place(PlanningProblem problem, PlannerOptions options, DiagnosticLog log) {
    int[] order = order(problem);
    return Placement.of(NAME, problem, GreedyPlacement.place(problem, order, FitRule.TIGHTEST));
  }

  private static int[] order(PlanningProblem problem) {
    Comparator<Integer> bySize =
        Comparator.<Integer>comparingLong(buffer -> -problem.size(buffer))
            .thenComparingInt(problem::firstPoint)
            .thenComparingInt(buffer -> buffer);
    IntervalIndex waiting = new IntervalIndex(problem);
    int[] order = new int[problem.bufferCount()];
    boolean[] isTaken = new boolean[order.length];
    int size = 0;
    int[] found = new int[64];
    for (int point : pointsByBreadth(problem)) {
      found = waiting.take(point, found);
      int fresh = size;
      for (int i = 0; i < waiting.hits(); i++) {
        if (!isTaken[found[i]]) {
          isTaken[found[i]] = true;
          order[size++] = found[i];
        }
      }
      Ints.asList(order).subList(fresh, size).sort(bySize);
    }
    return order;
  }

  /** Returns the points at which an interval begins, by descending number of live bytes. */
  private static int[] pointsByBreadth(PlanningProblem problem) {
    int[] begins = problem.intervalsByBegin();
    int[] ends = problem.intervalsByEnd();
    int[] points = new int[begins.length];
    long[] breadths = new long[begins.length];
    int size = 0;
    int ended = 0;
    long live = 0;
    for (int i = 0; i < begins.length; i++) {
      int point = problem.begin(begins[i]);
      for (; problem.end(ends[ended]) <= point; ended++) {
        live -= problem.bytes(ends[ended]);
      }
      live += problem.bytes(begins[i]);
      if (i + 1 == begins.length || problem.begin(begins[i + 1]) != point) {
        points[size] = point;
        breadths[size++] = live;
      }
    }
    return sort(points, breadths, size);
  }

  /** Sorts the first points of an array by descending breadth, equal ones in the given order. */
  private static int[] sort(int[] points, long[] breadths, int size) {
    Integer[] order = new Integer[size];
    Arrays.setAll(order, i -> i);
    Arrays.sort(order, Comparator.comparingLong(i -> -breadths[i]));
    int[] sorted = new int[size];
    Arrays.setAll(sorted, i -> points[order[i]]);
    return sorted;
  }
}
