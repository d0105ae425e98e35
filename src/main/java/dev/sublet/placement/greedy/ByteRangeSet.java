package dev.sublet.placement.greedy;

import java.util.Arrays;

/**
 * A set of bytes of an arena as ascending ranges {@code [from, to)}. Ranges that touch are merged,
 * so a tightly packed arena has few ranges, however many buffers it contains. O(log n) to find a
 * position, O(n) moves of words to insert there.
 */
final class ByteRangeSet {

  /** The bounds of the ranges, alternately: from, to, from, to, … */
  private long[] bounds = new long[4];

  private int size;

  /** The number of ranges. */
  int size() {
    return size;
  }

  /** The first byte of a range. */
  long from(int range) {
    return bounds[2 * range];
  }

  /** The first byte after a range. */
  long to(int range) {
    return bounds[2 * range + 1];
  }

  void clear() {
    size = 0;
  }

  /** Adds the bytes {@code [from, to)}, some of which may already be in the set. */
  void add(long from, long to) {
    if (size > 0 && from >= from(size - 1)) {
      append(from, to);
      return;
    }
    int first = firstEndingAtOrBehind(from);
    int last = first;
    long low = from;
    long high = to;
    while (last < size && from(last) <= to) {
      low = Math.min(low, from(last));
      high = Math.max(high, to(last));
      last++;
    }
    replace(first, last);
    bounds[2 * first] = low;
    bounds[2 * first + 1] = high;
  }

  /** Adds bytes that begin at or after the beginning of the last range. O(1). */
  void append(long from, long to) {
    if (size > 0 && from <= to(size - 1)) {
      bounds[2 * size - 1] = Math.max(to(size - 1), to);
      return;
    }
    ensureRoom();
    bounds[2 * size] = from;
    bounds[2 * size + 1] = to;
    size++;
  }

  /**
   * Replaces the ranges {@code [first, last)} by a single one, whose bounds the caller must set.
   */
  private void replace(int first, int last) {
    if (last == first) {
      ensureRoom();
    }
    int change = 1 - (last - first);
    if (change != 0) {
      System.arraycopy(bounds, 2 * last, bounds, 2 * (last + change), 2 * (size - last));
      size += change;
    }
  }

  private void ensureRoom() {
    if (2 * size == bounds.length) {
      bounds = Arrays.copyOf(bounds, 2 * bounds.length);
    }
  }

  private int firstEndingAtOrBehind(long offset) {
    return firstEndingBehind(offset - 1, 0, size);
  }

  /**
   * Returns the first range, from the given one on, that ends after an offset; {@link #size} if
   * there is none. O(log distance).
   */
  int nextEndingBehind(long offset, int start) {
    if (start < size && to(start) > offset) {
      return start;
    }
    int step = 1;
    int low = start;
    while (low + step <= size && to(low + step - 1) <= offset) {
      low += step;
      step *= 2;
    }
    return firstEndingBehind(offset, low, Math.min(size, low + step - 1));
  }

  private int firstEndingBehind(long offset, int start, int end) {
    int low = start;
    int high = end;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (to(middle) <= offset) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
