package dev.sublet.placement.problem;

import java.util.Arrays;

/**
 * Finds the intervals of a problem that overlap a given one. The intervals are sorted by their
 * first points, with a tree of maximal ends over them. O(n log n) to build, O((1 + hits) log n) per
 * query.
 */
public final class IntervalIndex {

  private final SortedPoints begins;
  private final int[] buffers;
  private final int[] latestEnd;
  private final int leaves;
  private int hits;

  /** Builds an index of all intervals of a problem. */
  public IntervalIndex(PlanningProblem problem) {
    int count = problem.intervalCount();
    int[] bufferOf = new int[count];
    for (int buffer = 0; buffer < problem.bufferCount(); buffer++) {
      for (int i = problem.firstInterval(buffer); i < problem.endInterval(buffer); i++) {
        bufferOf[i] = buffer;
      }
    }
    int[] order = problem.intervalsByBegin();
    begins = SortedPoints.begins(problem);
    buffers = new int[count];
    leaves = Math.max(1, Integer.highestOneBit(Math.max(1, count - 1)) * 2);
    latestEnd = new int[2 * leaves];
    for (int position = 0; position < count; position++) {
      buffers[position] = bufferOf[order[position]];
      latestEnd[leaves + position] = problem.end(order[position]);
    }
    for (int node = leaves - 1; node > 0; node--) {
      latestEnd[node] = Math.max(latestEnd[2 * node], latestEnd[2 * node + 1]);
    }
  }

  /**
   * Writes the buffers of all intervals that overlap {@code [begin, end)} to an array, from a
   * position on, and returns the array, which is a longer copy if it was too short. {@link #hits}
   * is then the position after the last buffer written.
   */
  public int[] collect(int begin, int end, int[] found, int from) {
    int[] result = found;
    int size = from;
    int limit = begins.countBelow(end);
    int position = next(0, begin);
    while (position < limit) {
      if (size == result.length) {
        result = Arrays.copyOf(result, 2 * size);
      }
      result[size++] = buffers[position];
      position = next(position + 1, begin);
    }
    hits = size;
    return result;
  }

  /**
   * Removes the intervals that contain a point from the index, writes their buffers to the
   * beginning of an array, and returns the array, which is a longer copy if it was too short.
   * {@link #hits} is then the number of buffers written. A buffer with several intervals may be
   * returned again for another point.
   */
  public int[] take(int point, int[] found) {
    int[] result = found;
    int size = 0;
    int limit = begins.countBelow(point + 1);
    for (int position = next(0, point); position < limit; position = next(position + 1, point)) {
      if (size == result.length) {
        result = Arrays.copyOf(result, 2 * size);
      }
      result[size++] = buffers[position];
      remove(position);
    }
    hits = size;
    return result;
  }

  private void remove(int position) {
    int node = leaves + position;
    latestEnd[node] = Integer.MIN_VALUE;
    while (node > 1) {
      node >>= 1;
      latestEnd[node] = Math.max(latestEnd[2 * node], latestEnd[2 * node + 1]);
    }
  }

  /** The position after the last buffer that the latest {@link #collect} or {@link #take} wrote. */
  public int hits() {
    return hits;
  }

  /**
   * Returns the first position from the given one on whose interval ends after a point, or {@code
   * leaves} if there is none.
   */
  private int next(int from, int point) {
    if (from >= leaves) {
      return leaves;
    }
    int node = leaves + from;
    while (latestEnd[node] <= point) {
      // Climb until there is a right neighbor, and go there.
      while ((node & 1) == 1) {
        node >>= 1;
      }
      if (node == 0) {
        return leaves;
      }
      node++;
    }
    while (node < leaves) {
      node = 2 * node;
      if (latestEnd[node] <= point) {
        node++;
      }
    }
    return node - leaves;
  }
}
