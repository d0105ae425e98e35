package dev.sublet.placement.problem;

import java.util.Arrays;

/**
 * Finds the intervals of a problem that overlap a given one: sorted by first point, with a tree of
 * the latest end over them. O(n log n) to build, O((1 + hits) log n) a query.
 */
public final class IntervalIndex {

  private final SortedPoints begins;
  private final int[] buffers;
  private final int[] latestEnd;
  private final int leaves;
  private int hits;

  /** An index of all intervals of a problem. */
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
   * Writes the buffers of all intervals that overlap {@code [begin, end)} behind a position of an
   * array, growing it, and returns the array; its content is counted by {@link #hits}.
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
   * Takes the intervals that contain a point out of the index; writes their buffers, one that has
   * several in the index perhaps again at another point, to the beginning of an array, growing it,
   * and returns the array; its content is counted by {@link #hits}.
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

  /** The end of what the latest {@link #collect} or {@link #take} has written. */
  public int hits() {
    return hits;
  }

  /**
   * The first position from the given one whose interval ends behind a point; {@code leaves} if
   * none.
   */
  private int next(int from, int point) {
    if (from >= leaves) {
      return leaves;
    }
    int node = leaves + from;
    while (latestEnd[node] <= point) {
      // Climb until there is a right neighbour, and go there.
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
