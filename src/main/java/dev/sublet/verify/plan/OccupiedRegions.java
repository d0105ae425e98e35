package dev.sublet.verify.plan;

import dev.sublet.verify.graph.IntList;
import java.util.Arrays;

/**
 * The set of the occupied regions of one arena, with a search for overlapping regions.
 *
 * <p>It is a segment tree over the regions in the order of their offsets. Each inner node contains
 * the greatest end of the occupied regions below it. Occupied regions may overlap each other.
 * Adding and removing a region are O(log n), a search for all overlaps is O((1 + hits) log n).
 */
final class OccupiedRegions {

  private static final long RELEASED = -1;

  private final int leaves;
  private final long[] offsets;
  private final long[] ends;
  private final int[] allocations;

  /**
   * The greatest end of an occupied region below each tree node; the leaves begin at {@link
   * #leaves}.
   */
  private final long[] greatestEnds;

  /**
   * Creates a set over regions in ascending order of their offsets, none of them occupied.
   *
   * @param allocations the number that {@link #overlapping} returns for each region
   */
  OccupiedRegions(long[] offsets, long[] ends, int[] allocations) {
    this.offsets = offsets;
    this.ends = ends;
    this.allocations = allocations;
    this.leaves = Math.max(1, Integer.highestOneBit(Math.max(1, 2 * offsets.length - 1)));
    this.greatestEnds = new long[2 * leaves];
    Arrays.fill(greatestEnds, RELEASED);
  }

  /** Marks a region as occupied, unless it is empty: an empty region overlaps nothing. */
  void hold(int rank) {
    if (offsets[rank] < ends[rank]) {
      set(rank, ends[rank]);
    }
  }

  /** Marks a region as not occupied. */
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

  /** Adds the occupied regions that overlap the region of the given rank, including itself. */
  void overlapping(int rank, IntList found) {
    if (offsets[rank] < ends[rank]) {
      collect(1, 0, leaves, offsets[rank], ends[rank], found);
    }
  }

  /**
   * Returns the first occupied region by offset that overlaps the region of the given rank, or -1.
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
    // Of the occupied regions that end after the given region's beginning, this one begins first.
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
