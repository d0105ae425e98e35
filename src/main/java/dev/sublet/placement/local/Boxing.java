package dev.sublet.placement.local;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/**
 * Joins rectangles that fill a box without a hole, or almost, to one, and these boxes to larger
 * ones, as long as it finds any. A perfect packing often ends as a single box.
 *
 * <p>First come boxes of two parts, which are the surest, and boxes without any hole; then more
 * parts, and heights that differ by more and more. Where heights are equal by chance, a box is
 * wrong, and keeps others from being found. So when no more are found, boxes are opened one by one,
 * the smallest first, and stay open if fewer are left then.
 *
 * <p>A round takes O(n) where few rectangles begin at a point, and there are about as many rounds
 * as boxes are nested; at most the given number of steps in all.
 *
 * <p>Source: boxes of equal height are those of Buchsbaum et al., "OPT versus LOAD in dynamic
 * storage allocation", 2003; what fills a box is found here by {@link BoxFinder}.
 */
final class Boxing {

  /** The maximum numbers of parts of a box, in the order in which they are tried. */
  private static final int[] PARTS = {2, 3, 5, 8, BoxFinder.MAX_PARTS};

  /** With at most this many parts, boxes are not looked for from three that begin together. */
  private static final int FEW_PARTS = 5;

  /** The maximum number of other boxes that a box is tried with. */
  private static final int MAX_FELLOWS = 8;

  /** The minimum number of rectangles per box for a search for wrong boxes. */
  private static final int LEAVES_PER_ROOT = 4;

  /** The number of sums of heights that count as one step. */
  private static final int SUMS_PER_STEP = 32;

  /** The number of points whose look-up counts as one sum. */
  private static final int POINTS_PER_SUM = 256;

  private final BoxForest boxes;
  private final BoxFinder finder;
  private final Set<Long> refused = new HashSet<>();
  private long tolerance;
  private long otherSums;
  private final long maxSteps;

  private Boxing(Rectangles rectangles, int[] order, long maxSteps) {
    boxes = new BoxForest(rectangles, order);
    finder = new BoxFinder(boxes);
    this.maxSteps = maxSteps;
  }

  /**
   * Returns the boxes of rectangles.
   *
   * @param order the rectangles in the order in which they are tried
   * @param maxTolerance the greatest difference of heights that are taken for equal
   */
  static Boxing of(Rectangles rectangles, int[] order, long maxTolerance, long maxSteps) {
    Boxing boxing = new Boxing(rectangles, order, maxSteps);
    boxing.run(maxTolerance);
    return boxing;
  }

  BoxForest boxes() {
    return boxes;
  }

  long steps() {
    return (finder.sums() + otherSums) / SUMS_PER_STEP;
  }

  private boolean isSpent() {
    return steps() >= maxSteps;
  }

  private void run(long maxTolerance) {
    while (boxes.rootCount() > 1 && !isSpent()) {
      join();
      if (boxes.rootCount() <= boxes.leaves / LEAVES_PER_ROOT && tolerance >= maxTolerance) {
        openWrongBoxes();
      }
      if (tolerance >= maxTolerance) {
        return;
      }
      tolerance = Math.max(1, 2 * tolerance);
    }
  }

  private void join() {
    int level = 0;
    while (level < PARTS.length && !isSpent()) {
      finder.setLimits(PARTS[level], tolerance);
      boolean isJoined = false;
      for (int point = boxes.nextBegin(0);
          point >= 0 && !isSpent();
          point = boxes.nextBegin(point + 1)) {
        while (boxes.beginCount(point) > 0 && joinAt(point, PARTS[level])) {
          isJoined = true;
        }
      }
      otherSums += boxes.points / POINTS_PER_SUM;
      level = isJoined ? 0 : level + 1;
    }
  }

  /** Makes a box of one, two or three boxes that begin at a point, and others. */
  private boolean joinAt(int point, int maxParts) {
    int count = boxes.beginCount(point);
    for (int i = 0; i < count && !isSpent(); i++) {
      int a = boxes.beginning(point, i);
      if (finder.find(a) && box()) {
        return true;
      }
      int last = Math.min(count, i + 1 + MAX_FELLOWS);
      for (int j = i + 1; j < last; j++) {
        int b = boxes.beginning(point, j);
        if (finder.find(a, b) && box()) {
          return true;
        }
        for (int k = j + 1; k < last && maxParts > FEW_PARTS; k++) {
          if (finder.find(a, b, boxes.beginning(point, k)) && box()) {
            return true;
          }
        }
      }
    }
    return false;
  }

  /** Makes a box of the boxes found, unless they are refused or do not fit. */
  private boolean box() {
    int[] parts = finder.found();
    if (!refused.isEmpty() && refused.contains(key(parts))) {
      return false;
    }
    otherSums += parts.length;
    for (long more = 0; more <= tolerance; more = Math.max(1, 2 * more)) {
      long height = finder.height() + more;
      long[] offsets = BoxPacking.pack(boxes, parts, height);
      if (offsets.length > 0) {
        boxes.pack(parts, offsets, finder.end(), height);
        return true;
      }
    }
    return false;
  }

  private void openWrongBoxes() {
    boolean isBetter = true;
    while (isBetter) {
      isBetter = false;
      for (int box : rootsBySize()) {
        if (isSpent() || boxes.rootCount() == 1) {
          return;
        }
        if (boxes.isRoot(box)) {
          isBetter |= openIfBetter(box);
        }
      }
    }
  }

  private int[] rootsBySize() {
    long[] keys = new long[boxes.rootCount()];
    int count = 0;
    for (int box = boxes.leaves; box < boxes.count(); box++) {
      if (boxes.isRoot(box)) {
        keys[count++] = (long) boxes.leafCount(box) << 32 | box;
      }
    }
    Arrays.sort(keys, 0, count);
    return Arrays.stream(keys, 0, count).mapToInt(key -> (int) key).toArray();
  }

  private boolean openIfBetter(int box) {
    int before = boxes.rootCount();
    int changes = boxes.changes();
    long key = key(boxes.parts(box));
    refused.add(key);
    boxes.open(box);
    join();
    if (boxes.rootCount() < before) {
      return true;
    }
    refused.remove(key);
    boxes.undo(changes);
    return false;
  }

  /** Returns a number for a set of boxes, the same in any order; different ones hardly agree. */
  private static long key(int[] parts) {
    long key = 0;
    for (int part : parts) {
      long mixed = (part + 1) * 0x9E3779B97F4A7C15L;
      mixed = (mixed ^ mixed >>> 30) * 0xBF58476D1CE4E5B9L;
      key += mixed ^ mixed >>> 27;
    }
    return key;
  }
}
