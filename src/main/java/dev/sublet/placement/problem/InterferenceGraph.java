package dev.sublet.placement.problem;

import java.util.Arrays;

/**
 * The interference graph of a problem: an edge joins two buffers that are live at the same point.
 *
 * <p>Edges are not stored. Two buffers are compared interval by interval, so a buffer that is live
 * only in a hole of another buffer's live range does not interfere with it. Windows are ignored.
 *
 * <p>The degrees of buffers with a single interval take O(n log n) for n intervals in all. The
 * degree of a buffer with several intervals is found by listing its neighbors, in O((1 + neighbors)
 * log n).
 */
public final class InterferenceGraph {

  private final PlanningProblem problem;
  private final int[] degrees;

  /** Computes the degrees of a problem's buffers. */
  public InterferenceGraph(PlanningProblem problem) {
    this.problem = problem;
    this.degrees = new int[problem.bufferCount()];
    countAroundSingleIntervals();
    countAroundSeveralIntervals();
  }

  /** The number of other buffers that are live at some point at which a buffer is live. */
  public int degree(int buffer) {
    return degrees[buffer];
  }

  /** Whether two different buffers are live at the same point. O(intervals of both). */
  public boolean interfere(int a, int b) {
    int i = problem.firstInterval(a);
    int j = problem.firstInterval(b);
    while (i < problem.endInterval(a) && j < problem.endInterval(b)) {
      if (problem.end(i) <= problem.begin(j)) {
        i++;
      } else if (problem.end(j) <= problem.begin(i)) {
        j++;
      } else {
        return true;
      }
    }
    return false;
  }

  /**
   * Counts the pairs of intervals that overlap: at each begin, the intervals that are already live.
   * O(n log n).
   */
  public static long countPairs(PlanningProblem problem) {
    SortedPoints begins = SortedPoints.begins(problem);
    SortedPoints ends = SortedPoints.ends(problem);
    long pairs = 0;
    for (int i = 0; i < problem.intervalCount(); i++) {
      pairs += i - ends.countBelow(begins.get(i) + 1);
    }
    return pairs;
  }

  private boolean isSingle(int buffer) {
    return problem.endInterval(buffer) - problem.firstInterval(buffer) == 1;
  }

  /**
   * Sets the degree of each buffer with a single interval: the number of other buffers, less those
   * that end before the interval, begin after it, or have a hole around it. The holes are added by
   * ascending begin to a Fenwick tree of counts over their ends.
   */
  private void countAroundSingleIntervals() {
    int count = problem.bufferCount();
    int[] firsts = new int[count];
    int[] lasts = new int[count];
    long[] queries = new long[count];
    for (int buffer = 0; buffer < count; buffer++) {
      firsts[buffer] = problem.firstPoint(buffer);
      lasts[buffer] = problem.lastPoint(buffer);
      queries[buffer] = (long) firsts[buffer] << 32 | buffer;
    }
    SortedPoints begins = SortedPoints.of(firsts);
    SortedPoints ends = SortedPoints.of(lasts);
    Arrays.sort(queries);
    Holes holes = new Holes(problem);
    for (long query : queries) {
      int buffer = (int) query;
      if (isSingle(buffer)) {
        int begin = problem.firstPoint(buffer);
        int end = problem.lastPoint(buffer);
        int after = count - begins.countBelow(end);
        int before = ends.countBelow(begin + 1);
        degrees[buffer] = count - 1 - after - before - holes.around(begin, end);
      }
    }
  }

  private void countAroundSeveralIntervals() {
    int[] found = new int[64];
    int[] seenBy = new int[problem.bufferCount()];
    Arrays.fill(seenBy, -1);
    IntervalIndex index = null;
    for (int buffer = 0; buffer < seenBy.length; buffer++) {
      if (isSingle(buffer)) {
        continue;
      }
      index = index == null ? new IntervalIndex(problem) : index;
      seenBy[buffer] = buffer;
      for (int i = problem.firstInterval(buffer); i < problem.endInterval(buffer); i++) {
        found = index.collect(problem.begin(i), problem.end(i), found, 0);
        for (int hit = 0; hit < index.hits(); hit++) {
          if (seenBy[found[hit]] != buffer) {
            seenBy[found[hit]] = buffer;
            degrees[buffer]++;
          }
        }
      }
    }
  }

  /** The holes between the intervals of all buffers, queried by ascending begin. */
  private static final class Holes {

    private final long[] byBegin;
    private final SortedPoints sortedEnds;
    private final int[] counts;
    private int added;

    Holes(PlanningProblem problem) {
      int count = problem.intervalCount() - problem.bufferCount();
      byBegin = new long[count];
      int[] ends = new int[count];
      counts = new int[count + 1];
      int hole = 0;
      for (int buffer = 0; buffer < problem.bufferCount(); buffer++) {
        for (int i = problem.firstInterval(buffer); i < problem.endInterval(buffer) - 1; i++) {
          ends[hole] = problem.begin(i + 1);
          byBegin[hole] = (long) problem.end(i) << 32 | problem.begin(i + 1);
          hole++;
        }
      }
      Arrays.sort(byBegin);
      sortedEnds = SortedPoints.of(ends);
    }

    /**
     * Counts the holes that contain {@code [begin, end)}; no later call may have a smaller begin.
     */
    int around(int begin, int end) {
      for (; added < byBegin.length && (byBegin[added] >>> 32) <= begin; added++) {
        int position = sortedEnds.countBelow((int) byBegin[added]) + 1;
        for (; position < counts.length; position += position & -position) {
          counts[position]++;
        }
      }
      int tooShort = 0;
      for (int position = sortedEnds.countBelow(end); position > 0; position &= position - 1) {
        tooShort += counts[position];
      }
      return added - tooShort;
    }
  }
}
