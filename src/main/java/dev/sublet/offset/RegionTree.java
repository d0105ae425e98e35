package dev.sublet.offset;

import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.cfg.Region;

/**
 * The intervals of points that control operators take, nested as their blocks are. An interval
 * reaches from the first point of the head to the last point of the exit. Region 0 is all time; a
 * region comes before the regions inside it.
 */
final class RegionTree {

  private final int[] parents;
  private final int[] begins;
  private final int[] ends;

  private RegionTree(int[] parents, int[] begins, int[] ends) {
    this.parents = parents;
    this.begins = begins;
    this.ends = ends;
    begins[0] = 0;
    ends[0] = Integer.MAX_VALUE;
  }

  /**
   * Makes a tree.
   *
   * @param parents of each region, less than its own index; the entry of region 0 is ignored
   * @param begins the first points; that of region 0 is ignored
   * @param ends the first points after the regions; that of region 0 is ignored
   */
  static RegionTree of(int[] parents, int[] begins, int[] ends) {
    return new RegionTree(parents.clone(), begins.clone(), ends.clone());
  }

  /** Makes the tree of a program's regions, by their indices. O(regions). */
  static RegionTree of(ControlFlowGraph graph) {
    int count = graph.regions().size();
    int[] parents = new int[count];
    int[] begins = new int[count];
    int[] ends = new int[count];
    for (int index = 1; index < count; index++) {
      Region region = graph.region(index);
      parents[index] = region.parent();
      begins[index] = 2 * region.head();
      ends[index] = 2 * region.exit() + 2;
    }
    return new RegionTree(parents, begins, ends);
  }

  int count() {
    return parents.length;
  }

  /** The region around a region. */
  int parent(int region) {
    return parents[region];
  }

  /** The first point of a region. */
  int begin(int region) {
    return begins[region];
  }

  /** The first point after a region. */
  int end(int region) {
    return ends[region];
  }

  /** Returns the innermost region around two regions, which may be one of them. O(depth). */
  int common(int a, int b) {
    int left = a;
    int right = b;
    while (left != right) {
      if (left > right) {
        left = parents[left];
      } else {
        right = parents[right];
      }
    }
    return left;
  }

  /**
   * Returns the innermost region that contains all of an interval: the given region or one around
   * it. O(depth).
   */
  int around(int region, int begin, int end) {
    int found = region;
    while (begin < begins[found] || ends[found] < end) {
      found = parents[found];
    }
    return found;
  }
}
