package dev.sublet.placement.local;

import java.util.Arrays;

/**
 * Packs a few boxes into one of a given height, by trying all orders from the bottom up, as in
 * branch and bound: the next box is one that can lie below the top of every other.
 */
final class BoxPacking {

  private static final int MAX_STEPS = 200;

  private final BoxForest boxes;
  private final int[] parts;
  private final long height;

  /**
   * The distinct points at which parts begin or end, ascending, and the top between two of them.
   */
  private final int[] points;

  private final long[] tops;
  private final long[] offsets;
  private int steps;

  private BoxPacking(BoxForest boxes, int[] parts, long height) {
    this.boxes = boxes;
    this.parts = parts;
    this.height = height;
    int[] all = new int[2 * parts.length];
    for (int i = 0; i < parts.length; i++) {
      all[2 * i] = boxes.begin(parts[i]);
      all[2 * i + 1] = boxes.end(parts[i]);
    }
    points = Arrays.stream(all).sorted().distinct().toArray();
    tops = new long[points.length];
    offsets = new long[parts.length];
  }

  /**
   * Returns the offsets of parts in a box of a height, or an empty array if none were found. A
   * limited number of steps.
   */
  static long[] pack(BoxForest boxes, int[] parts, long height) {
    BoxPacking packing = new BoxPacking(boxes, parts, height);
    return packing.pack(/* placed= */ 0, /* lowest= */ 0) ? packing.offsets : new long[0];
  }

  /**
   * @param placed the parts that have an offset, as bits
   * @param lowest the offset of the latest of them, below which no more are placed
   */
  private boolean pack(int placed, long lowest) {
    if (placed == (1 << parts.length) - 1) {
      return true;
    }
    if (++steps > MAX_STEPS) {
      return false;
    }
    long leastTop = Long.MAX_VALUE;
    for (int i = 0; i < parts.length; i++) {
      if ((placed >> i & 1) == 0) {
        offsets[i] = offset(parts[i]);
        leastTop = Math.min(leastTop, offsets[i] + boxes.height(parts[i]));
        if (offsets[i] + boxes.height(parts[i]) > height) {
          return false;
        }
      }
    }
    for (int i = 0; i < parts.length; i++) {
      long offset = (placed >> i & 1) == 0 ? offset(parts[i]) : Long.MAX_VALUE;
      if (offset >= leastTop || offset < lowest) {
        continue;
      }
      long[] before = tops.clone();
      raise(parts[i], offset + boxes.height(parts[i]));
      if (pack(placed | 1 << i, offset)) {
        offsets[i] = offset;
        return true;
      }
      System.arraycopy(before, 0, tops, 0, tops.length);
    }
    return false;
  }

  private long offset(int part) {
    long offset = 0;
    for (int i = 0; i < points.length; i++) {
      if (boxes.begin(part) <= points[i] && points[i] < boxes.end(part)) {
        offset = Math.max(offset, tops[i]);
      }
    }
    return offset;
  }

  private void raise(int part, long top) {
    for (int i = 0; i < points.length; i++) {
      if (boxes.begin(part) <= points[i] && points[i] < boxes.end(part)) {
        tops[i] = top;
      }
    }
  }
}
