package dev.sublet.placement.local;

import java.util.Arrays;

/**
 * Finds a few boxes that together fill a box: follows them over time, and wherever some end, looks
 * for others that begin there and are as high together, until all end at the same point.
 *
 * <p>Wherever rectangles fill the arena without a hole and few events coincide, the rectangles that
 * begin at a point take exactly the place of those that end there. So what is found usually belongs
 * together. The five parts of a pinwheel, for example, which no straight cut separates:
 *
 * <pre>
 *   a a a b    a and c begin together; where c ends, d and e begin, and are as high as c;
 *   c d d b    where a and d end, b begins, and is as high as both; b and e end together
 *   c e e e
 * </pre>
 */
final class BoxFinder {

  /** The maximum number of boxes that are found together. */
  static final int MAX_PARTS = 13;

  /** The number of boxes of which sums are formed, if more begin at a point. */
  private static final int MAX_CHOICES = 10;

  private static final int MAX_SUMMANDS = 4;

  private final BoxForest boxes;
  private final int[] chosen = new int[MAX_PARTS];
  private int chosenCount;
  private final int[] choices = new int[MAX_CHOICES];
  private long tolerance;
  private int maxParts;
  private int end;
  private long height;
  private long sums;

  BoxFinder(BoxForest boxes) {
    this.boxes = boxes;
  }

  /** The boxes found. */
  int[] found() {
    return Arrays.copyOf(chosen, chosenCount);
  }

  /** The first point after the boxes found. */
  int end() {
    return end;
  }

  /** The greatest sum of the heights of the boxes found at a point. */
  long height() {
    return height;
  }

  /** The number of sums of heights so far. */
  long sums() {
    return sums;
  }

  /**
   * Sets the search criteria.
   *
   * @param newMaxParts the maximum number of boxes, at most {@link #MAX_PARTS}
   * @param newTolerance by how much heights may differ that are expected to be equal
   */
  void setLimits(int newMaxParts, long newTolerance) {
    maxParts = newMaxParts;
    tolerance = newTolerance;
  }

  /** Finds boxes that begin with the given ones, at their point; returns whether it did. */
  boolean find(int... first) {
    System.arraycopy(first, 0, chosen, 0, first.length);
    chosenCount = first.length;
    long live = 0;
    for (int box : first) {
      live += boxes.height(box);
    }
    height = live;
    end = boxes.begin(first[0]);
    while (true) {
      sums++;
      end = nextEnd(end);
      long ended = ended(end);
      if (ended == live && chosenCount > 1) {
        return true;
      }
      int before = chosenCount;
      if (end == boxes.points || !match(end, ended)) {
        return false;
      }
      live -= ended;
      for (int i = before; i < chosenCount; i++) {
        live += boxes.height(chosen[i]);
      }
      height = Math.max(height, live);
    }
  }

  private int nextEnd(int point) {
    int next = boxes.points;
    for (int i = 0; i < chosenCount; i++) {
      int ends = boxes.end(chosen[i]);
      next = ends > point ? Math.min(next, ends) : next;
    }
    return next;
  }

  private long ended(int point) {
    long ended = 0;
    for (int i = 0; i < chosenCount; i++) {
      ended += boxes.end(chosen[i]) == point ? boxes.height(chosen[i]) : 0;
    }
    return ended;
  }

  /** Chooses as few boxes as possible that begin at a point and have a height together. */
  private boolean match(int point, long amount) {
    int room = maxParts - chosenCount;
    int count = 0;
    for (int i = 0; i < boxes.beginCount(point) && room > 0; i++) {
      int box = boxes.beginning(point, i);
      long more = amount - boxes.height(box);
      if (Math.abs(more) <= tolerance) {
        chosen[chosenCount++] = box;
        return true;
      }
      if (more > 0 && count < MAX_CHOICES) {
        choices[count++] = box;
      }
    }
    for (int size = 2; size <= Math.min(MAX_SUMMANDS, Math.min(room, count)); size++) {
      if (matchSum(size, 0, count, amount)) {
        return true;
      }
    }
    return false;
  }

  private boolean matchSum(int size, int from, int count, long amount) {
    sums++;
    if (size == 0) {
      return Math.abs(amount) <= tolerance;
    }
    for (int i = from; i + size <= count; i++) {
      long rest = amount - boxes.height(choices[i]);
      if (rest >= -tolerance && matchSum(size - 1, i + 1, count, rest)) {
        chosen[chosenCount++] = choices[i];
        return true;
      }
    }
    return false;
  }
}
