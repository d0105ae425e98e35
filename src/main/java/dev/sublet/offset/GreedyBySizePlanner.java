package dev.sublet.offset;

import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.Place;
import java.util.Arrays;

/**
 * Places buffers by descending size, each at the lowest offset at which it fits between those that
 * are live with it and placed already. Equal sizes are taken by first point, then by index.
 *
 * <p>O(p log p) for p pairs of buffers that are live together, which is quadratic where many
 * lifetimes are long. Beyond {@link #MAX_PAIRS_PER_BUFFER} pairs a buffer it leaves the work to
 * {@link TimeOrderPlacement}, and says so.
 *
 * <p>Source: "greedy by size" of TFLite's arena planner (Pisarchyk and Lee 2020, section 5.2), with
 * gaps in live ranges used.
 */
final class GreedyBySizePlanner implements Planner {

  static final String NAME = "greedy-size";

  /** A problem with fewer pairs than this is never too large. */
  private static final long MIN_PAIRS = 20_000_000;

  private static final long MAX_PAIRS_PER_BUFFER = 200;

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Placement place(PlanningProblem problem, PlannerOptions options, DiagnosticLog log) {
    return Placement.of(NAME, problem, place(problem, log));
  }

  private static long[] place(PlanningProblem problem, DiagnosticLog log) {
    long pairs = countPairs(problem);
    if (pairs > Math.max(MIN_PAIRS, MAX_PAIRS_PER_BUFFER * problem.bufferCount())) {
      log.warn(
          Place.nowhere(),
          pairs
              + " pairs of buffers are live together, too many for planner '"
              + NAME
              + "': the buffers were placed by best fit in the order of time");
      return TimeOrderPlacement.place(problem);
    }
    return placeBySize(problem);
  }

  /** The pairs of intervals that overlap: what is live at each beginning. O(n log n). */
  static long countPairs(PlanningProblem problem) {
    int count = problem.intervalCount();
    int[] begins = new int[count];
    int[] ends = new int[count];
    for (int i = 0; i < count; i++) {
      begins[i] = problem.begin(i);
      ends[i] = problem.end(i);
    }
    Arrays.sort(begins);
    Arrays.sort(ends);
    long pairs = 0;
    int ended = 0;
    for (int i = 0; i < count; i++) {
      while (ends[ended] <= begins[i]) {
        ended++;
      }
      pairs += i - ended;
    }
    return pairs;
  }

  private static long[] placeBySize(PlanningProblem problem) {
    int count = problem.bufferCount();
    long[] offsets = new long[count];
    Arrays.fill(offsets, -1);
    IntervalIndex index = new IntervalIndex(problem);
    int[] found = new int[64];
    for (int buffer : bySize(problem)) {
      int hits = 0;
      for (int i = problem.firstInterval(buffer); i < problem.endInterval(buffer); i++) {
        found = index.collect(problem.begin(i), problem.end(i), found, hits);
        hits = index.hits();
      }
      offsets[buffer] = lowestGap(problem, buffer, found, hits, offsets);
    }
    return offsets;
  }

  private static int[] bySize(PlanningProblem problem) {
    Integer[] order = new Integer[problem.bufferCount()];
    for (int i = 0; i < order.length; i++) {
      order[i] = i;
    }
    Arrays.sort(
        order,
        (a, b) -> {
          int bySize = Long.compare(problem.size(b), problem.size(a));
          int byPoint = Integer.compare(problem.firstPoint(a), problem.firstPoint(b));
          return bySize != 0 ? bySize : byPoint != 0 ? byPoint : Integer.compare(a, b);
        });
    int[] result = new int[order.length];
    for (int i = 0; i < order.length; i++) {
      result[i] = order[i];
    }
    return result;
  }

  /** The lowest aligned offset whose bytes no placed neighbour takes. */
  private static long lowestGap(
      PlanningProblem problem, int buffer, int[] found, int hits, long[] offsets) {
    int placed = 0;
    for (int i = 0; i < hits; i++) {
      if (offsets[found[i]] >= 0) {
        found[placed++] = found[i];
      }
    }
    sortByOffset(found, placed, offsets);
    long offset = 0;
    for (int i = 0; i < placed; i++) {
      int neighbour = found[i];
      if (offset + problem.size(buffer) <= offsets[neighbour]) {
        break;
      }
      offset = Math.max(offset, problem.align(offsets[neighbour] + problem.size(neighbour)));
    }
    return offset;
  }

  /** Insertion sort for the usual few, an object sort for many. */
  private static void sortByOffset(int[] buffers, int count, long[] offsets) {
    if (count > 48) {
      Integer[] boxed = new Integer[count];
      for (int i = 0; i < count; i++) {
        boxed[i] = buffers[i];
      }
      Arrays.sort(boxed, (a, b) -> Long.compare(offsets[a], offsets[b]));
      for (int i = 0; i < count; i++) {
        buffers[i] = boxed[i];
      }
      return;
    }
    for (int i = 1; i < count; i++) {
      int buffer = buffers[i];
      int j = i - 1;
      while (j >= 0 && offsets[buffers[j]] > offsets[buffer]) {
        buffers[j + 1] = buffers[j];
        j--;
      }
      buffers[j + 1] = buffer;
    }
  }
}
