package dev.sublet.offset.merge;

import java.util.ArrayList;
import java.util.List;

/**
 * A union-find structure for webs at fixed distances from each other. A union relabels the smaller
 * group, so n unions take O(n log n). The latest unions can be undone.
 *
 * <pre>{@code
 * unite(a, b, 64); unite(b, c, 32)     one group: c begins 96 bytes after a
 * }</pre>
 */
final class OffsetUnionFind {

  private record Union(int a, int b, int moved, int kept, long shift) {}

  private final int[] groups;
  private final long[] offsets;
  private final int[] sizes;

  /** The members of each group as a circular list: the next member after each web. */
  private final int[] next;

  private final List<Union> unions = new ArrayList<>();

  private OffsetUnionFind(int[] groups, long[] offsets, int[] sizes, int[] next) {
    this.groups = groups;
    this.offsets = offsets;
    this.sizes = sizes;
    this.next = next;
  }

  /** Makes groups of one web each, at offset 0. */
  OffsetUnionFind(int webs) {
    this(new int[webs], new long[webs], new int[webs], new int[webs]);
    for (int web = 0; web < webs; web++) {
      groups[web] = web;
      next[web] = web;
      sizes[web] = 1;
    }
  }

  /**
   * Returns a copy of the groups. The copy can be united further, but its earlier unions cannot be
   * undone. O(webs).
   */
  OffsetUnionFind copy() {
    return new OffsetUnionFind(groups.clone(), offsets.clone(), sizes.clone(), next.clone());
  }

  /** The group of a web. */
  int group(int web) {
    return groups[web];
  }

  /** The offset of a web, counted from a point that is the same for its whole group. */
  long offset(int web) {
    return offsets[web];
  }

  /** The number of webs in a web's group. */
  int size(int web) {
    return sizes[groups[web]];
  }

  /** The webs of a web's group. */
  List<Integer> members(int web) {
    List<Integer> members = new ArrayList<>();
    int member = web;
    do {
      members.add(member);
      member = next[member];
    } while (member != web);
    return members;
  }

  /**
   * Unites the groups of two webs so that the second web begins at a distance in bytes after the
   * first.
   */
  void unite(int a, int b, long distance) {
    boolean movesB = size(b) <= size(a);
    long shift = offsets[a] + distance - offsets[b];
    Union union =
        movesB
            ? new Union(a, b, groups[b], groups[a], shift)
            : new Union(b, a, groups[a], groups[b], -shift);
    relabel(union.b(), union.kept(), union.shift());
    swapRings(union);
    sizes[union.kept()] += sizes[union.moved()];
    unions.add(union);
  }

  private void relabel(int web, int group, long shift) {
    int member = web;
    do {
      groups[member] = group;
      offsets[member] += shift;
      member = next[member];
    } while (member != web);
  }

  private void swapRings(Union union) {
    int behind = next[union.a()];
    next[union.a()] = next[union.b()];
    next[union.b()] = behind;
  }

  /** Returns a mark of the present state, for {@link #undo}. */
  int mark() {
    return unions.size();
  }

  /** Undoes all unions after a mark. */
  void undo(int mark) {
    while (unions.size() > mark) {
      Union union = unions.remove(unions.size() - 1);
      sizes[union.kept()] -= sizes[union.moved()];
      swapRings(union);
      relabel(union.b(), union.moved(), -union.shift());
    }
  }
}
