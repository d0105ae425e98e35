package dev.sublet.plan;

import static com.google.common.base.Preconditions.checkArgument;

import java.util.Arrays;

/**
 * The number of bytes in the union of some ranges, while ranges are added and removed. A byte in
 * several ranges, as with views, counts once. A segment tree over the bytes at which ranges begin
 * or end; O(log n) per change, for n possible ranges.
 *
 * <p>Source: Bentley, "Algorithms for Klee's rectangle problems", 1977.
 */
public final class CoveredBytes {

  private final long[] bytes;
  private final int leaves;

  /** By tree node: the number of ranges that cover all its bytes, but not all of its parent. */
  private final int[] covers;

  /** By tree node: the number of its bytes that ranges within its subtree cover. */
  private final long[] covered;

  /**
   * Creates an empty union.
   *
   * @param ends all bytes at which a range may begin or end, in any order; the array is copied
   */
  public CoveredBytes(long[] ends) {
    this.bytes = ends.clone();
    Arrays.sort(bytes);
    this.leaves = Math.max(1, Integer.highestOneBit(Math.max(1, 2 * bytes.length - 1)));
    this.covers = new int[2 * leaves];
    this.covered = new long[2 * leaves];
  }

  /** Adds the range from {@code low}, inclusive, to {@code high}, exclusive; it may be empty. */
  public void add(long low, long high) {
    change(low, high, 1);
  }

  /** Removes a range. Not checked: that it was added before. */
  public void remove(long low, long high) {
    change(low, high, -1);
  }

  /** The number of covered bytes. O(1). */
  public long covered() {
    return covered[1];
  }

  private void change(long low, long high, int by) {
    if (low < high) {
      boolean known = Arrays.binarySearch(bytes, low) >= 0 && Arrays.binarySearch(bytes, high) >= 0;
      checkArgument(known, "[%s, %s) was not announced", low, high);
      change(1, 0, leaves, low, high, by);
    }
  }

  private void change(int node, int first, int width, long low, long high, int by) {
    if (first + 1 >= bytes.length || bytes[first] >= high || byteAt(first + width) <= low) {
      return;
    }
    if (low <= bytes[first] && byteAt(first + width) <= high) {
      covers[node] += by;
    } else {
      change(2 * node, first, width / 2, low, high, by);
      change(2 * node + 1, first + width / 2, width / 2, low, high, by);
    }
    if (covers[node] > 0) {
      covered[node] = byteAt(first + width) - bytes[first];
    } else {
      covered[node] = node < leaves ? covered[2 * node] + covered[2 * node + 1] : 0;
    }
  }

  private long byteAt(int index) {
    return bytes[Math.min(index, bytes.length - 1)];
  }
}
