package dev.sublet.placement.local;

import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.IntStream;

/**
 * A forest of boxes: rectangles, and boxes in which rectangles and smaller boxes lie at fixed
 * offsets. A root is in no box. Numbers below the number of rectangles are the rectangles.
 */
final class BoxForest {

  private static final int[] NO_PARTS = {};

  /** The number of rectangles. */
  final int leaves;

  /** The number of points. */
  final int points;

  private int count;
  private int rootCount;
  private int[] begins;
  private int[] ends;
  private long[] heights;
  private int[] leafCounts;
  private boolean[] isRoot;
  private int[][] parts;
  private long[][] partOffsets;

  /** By point: the roots that begin there, and their number. */
  private final int[][] beginning;

  private final int[] beginCounts;

  /** The points at which roots begin. */
  private final BitSet begun = new BitSet();

  /** The boxes packed, and the complements of the boxes opened, in this order. */
  private int[] changes = new int[64];

  private int changeCount;

  /** Creates boxes of one rectangle each, in the given order at each point. O(n). */
  BoxForest(Rectangles rectangles, int[] order) {
    leaves = rectangles.count;
    points = rectangles.points;
    begins = Arrays.copyOf(rectangles.begins, 2 * leaves);
    ends = Arrays.copyOf(rectangles.ends, 2 * leaves);
    heights = Arrays.copyOf(rectangles.heights, 2 * leaves);
    leafCounts = new int[2 * leaves];
    isRoot = new boolean[2 * leaves];
    parts = new int[2 * leaves][];
    partOffsets = new long[2 * leaves][];
    Arrays.fill(leafCounts, 0, leaves, 1);
    Arrays.fill(parts, 0, leaves, NO_PARTS);
    beginning = new int[points][];
    Arrays.fill(beginning, NO_PARTS);
    beginCounts = new int[points];
    count = leaves;
    for (int rectangle : order) {
      addRoot(rectangle);
    }
  }

  /** The number of rectangles and boxes. */
  int count() {
    return count;
  }

  int rootCount() {
    return rootCount;
  }

  boolean isRoot(int box) {
    return isRoot[box];
  }

  int begin(int box) {
    return begins[box];
  }

  int end(int box) {
    return ends[box];
  }

  long height(int box) {
    return heights[box];
  }

  /** The number of rectangles in a box. */
  int leafCount(int box) {
    return leafCounts[box];
  }

  /** The parts of a box, or none if it is a rectangle. Must not be changed. */
  int[] parts(int box) {
    return parts[box];
  }

  /** Returns the first point from the given one on at which a root begins, or -1. */
  int nextBegin(int point) {
    return begun.nextSetBit(point);
  }

  /** The number of roots that begin at a point. */
  int beginCount(int point) {
    return beginCounts[point];
  }

  /** One of the roots that begin at a point. */
  int beginning(int point, int position) {
    return beginning[point][position];
  }

  /** Makes roots the parts of a new box. O(parts + roots that begin with them). */
  void pack(int[] roots, long[] offsets, int end, long height) {
    ensureRoom();
    int box = count++;
    begins[box] = begins[roots[0]];
    ends[box] = end;
    heights[box] = height;
    parts[box] = roots;
    partOffsets[box] = offsets;
    leafCounts[box] = 0;
    for (int part : roots) {
      begins[box] = Math.min(begins[box], begins[part]);
      leafCounts[box] += leafCounts[part];
    }
    removeRoots(roots);
    addRoot(box);
    change(box);
  }

  /** Makes the parts of a root roots, and forgets the box. */
  void open(int box) {
    removeRoot(box);
    addRoots(parts[box]);
    change(~box);
  }

  /** Returns the rectangles and boxes that are roots. O(boxes). */
  int[] roots() {
    return IntStream.range(0, count).filter(box -> isRoot[box]).toArray();
  }

  /** The number of changes so far: boxes packed and opened. */
  int changes() {
    return changeCount;
  }

  /** Undoes all changes after the given number. O(1) per part. */
  void undo(int changesBefore) {
    while (changeCount > changesBefore) {
      int change = changes[--changeCount];
      if (change >= 0) {
        removeRoot(change);
        addRoots(parts[change]);
        count--;
      } else {
        removeRoots(parts[~change]);
        addRoot(~change);
      }
    }
  }

  /** Returns the offset of every rectangle for offsets of the roots. O(boxes). */
  long[] unpack(int[] roots, long[] rootOffsets) {
    long[] offsets = new long[count];
    for (int i = 0; i < roots.length; i++) {
      offsets[roots[i]] = rootOffsets[i];
    }
    boolean[] isInside = Arrays.copyOf(isRoot, count);
    for (int box = count - 1; box >= leaves; box--) {
      for (int i = 0; i < parts[box].length && isInside[box]; i++) {
        offsets[parts[box][i]] = offsets[box] + partOffsets[box][i];
        isInside[parts[box][i]] = true;
      }
    }
    return Arrays.copyOf(offsets, leaves);
  }

  private void ensureRoom() {
    if (count == begins.length) {
      begins = Arrays.copyOf(begins, 2 * count);
      ends = Arrays.copyOf(ends, 2 * count);
      heights = Arrays.copyOf(heights, 2 * count);
      leafCounts = Arrays.copyOf(leafCounts, 2 * count);
      isRoot = Arrays.copyOf(isRoot, 2 * count);
      parts = Arrays.copyOf(parts, 2 * count);
      partOffsets = Arrays.copyOf(partOffsets, 2 * count);
    }
  }

  private void change(int change) {
    if (changeCount == changes.length) {
      changes = Arrays.copyOf(changes, 2 * changeCount);
    }
    changes[changeCount++] = change;
  }

  private void addRoots(int[] roots) {
    for (int root : roots) {
      addRoot(root);
    }
  }

  private void removeRoots(int[] roots) {
    for (int root : roots) {
      removeRoot(root);
    }
  }

  private void addRoot(int box) {
    int point = begins[box];
    isRoot[box] = true;
    rootCount++;
    if (beginCounts[point] == beginning[point].length) {
      beginning[point] = Arrays.copyOf(beginning[point], Math.max(2, 2 * beginCounts[point]));
    }
    beginning[point][beginCounts[point]++] = box;
    begun.set(point);
  }

  private void removeRoot(int box) {
    int point = begins[box];
    isRoot[box] = false;
    rootCount--;
    int kept = 0;
    for (int i = 0; i < beginCounts[point]; i++) {
      if (beginning[point][i] != box) {
        beginning[point][kept++] = beginning[point][i];
      }
    }
    beginCounts[point] = kept;
    begun.set(point, kept > 0);
  }
}
