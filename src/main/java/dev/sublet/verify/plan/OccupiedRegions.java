package dev.sublet.verify.plan;

import dev.sublet.verify.graph.IntList;
import java.util.Arrays;

/**
 * Which allocations of one arena hold a value now, and which of these overlap given bytes.
 *
 * <p>A segment tree over the allocations in the order of their offsets; each inner node has the
 * greatest end among the held ones below it. Held allocations may overlap each other. Holding and
 * releasing are O(log n), a query for all is O((1 + hits) log n).
 */
final class OccupiedRegions {

  private static final long RELEASED = -1;

  private final int leaves;
  private final long[] offsets;
  private final long[] ends;
  private final int[] allocations;

  /** The greatest held end below each tree node; the leaves begin at {@link #leaves}. */
  private final long[] greatestEnds;

  /**
   * Regions in ascending order of their offsets, none of them held.
   *
   * @param allocations what {@link #overlapping} calls each region
   */
  OccupiedRegions(long[] offsets, long[] ends, int[] allocations) {
    this.offsets = offsets;
    this.ends = ends;
    this.allocations = allocations;
    this.leaves = Math.max(1, Integer.highestOneBit(Math.max(1, 2 * offsets.length - 1)));
    this.greatestEnds = new long[2 * leaves];
    Arrays.fill(greatestEnds, RELEASED);
  }

  /** An empty region is never found, so holding one does nothing. */
  void hold(int rank) {
    if (offsets[rank] < ends[rank]) {
      set(rank, ends[rank]);
    }
  }

  void release(int rank) {
    set(rank, RELEASED);
  }

  private void set(int rank, long end) {
    int node = leaves + rank;
    greatestEnds[node] = end;
    while (node > 1) {
      node /= 2;
      long greatest = Math.max(greatestEnds[2 * node], greatestEnds[2 * node + 1]);
      if (greatestEnds[node] == greatest) {
        return;
      }
      greatestEnds[node] = greatest;
    }
  }

  /** Adds the held allocations that overlap the region of the given rank, itself included. */
  void overlapping(int rank, IntList found) {
    if (offsets[rank] < ends[rank]) {
      collect(1, 0, leaves, offsets[rank], ends[rank], found);
    }
  }

  /**
   * Of the held allocations that overlap the region of the given rank the first by offset, or -1.
   * O(log n).
   */
  int firstOverlapping(int rank) {
    if (offsets[rank] >= ends[rank] || greatestEnds[1] <= offsets[rank]) {
      return -1;
    }
    int node = 1;
    while (node < leaves) {
      node = 2 * node;
      node += greatestEnds[node] <= offsets[rank] ? 1 : 0;
    }
    // Of all that end behind the region's beginning it begins first.
    int first = node - leaves;
    return offsets[first] < ends[rank] ? allocations[first] : -1;
  }

  private void collect(int node, int first, int width, long begin, long end, IntList found) {
    if (greatestEnds[node] <= begin || first >= offsets.length || offsets[first] >= end) {
      return;
    }
    if (width == 1) {
      found.add(allocations[first]);
      return;
    }
    collect(2 * node, first, width / 2, begin, end, found);
    collect(2 * node + 1, first + width / 2, width / 2, begin, end, found);
  }
}
