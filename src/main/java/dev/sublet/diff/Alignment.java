package dev.sublet.diff;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Pairs equal elements of two sequences without crossings: as many pairs as possible, after common
 * ends have been trimmed. O((n + m) × edits). If that would take more edits or steps than allowed,
 * only elements that occur once in each sequence, and equal elements beside them, are paired, in
 * O(n log n), and {@link #isExact} is false.
 *
 * <p>Sources: Myers, "An O(ND) Difference Algorithm and Its Variations", 1986; for the fallback,
 * Cohen's patience diff.
 */
final class Alignment {

  /** The greatest number of edits that the search considers, because it needs O(edits²) memory. */
  private static final int MAX_EDITS = 2_000;

  /** The index that means "no partner". */
  static final int NONE = -1;

  private final int[] partners;
  private long stepsLeft;
  private boolean isExact = true;

  /**
   * Creates an alignment without pairs.
   *
   * @param length the length of the first sequence
   * @param maxSteps the greatest number of comparisons of all refinements together
   */
  Alignment(int length, long maxSteps) {
    this.partners = new int[length];
    this.stepsLeft = maxSteps;
    Arrays.fill(partners, NONE);
  }

  /** The partner of an element of the first sequence, or {@link #NONE}. */
  int partner(int index) {
    return partners[index];
  }

  /** Whether no refinement used the fallback. */
  boolean isExact() {
    return isExact;
  }

  /**
   * Pairs elements that have no partner yet, in the gaps between the existing pairs.
   *
   * @param a the first sequence; equal numbers are equal elements
   * @param b the second sequence
   */
  void refine(long[] a, long[] b) {
    int lowA = 0;
    int lowB = 0;
    for (int i = 0; i <= a.length; i++) {
      if (i == a.length || partners[i] != NONE) {
        int endB = i == a.length ? b.length : partners[i];
        align(a, lowA, i, b, lowB, endB);
        lowA = i + 1;
        lowB = endB + 1;
      }
    }
  }

  private void align(long[] a, int fromA, int toA, long[] b, int fromB, int toB) {
    int lowA = fromA;
    int lowB = fromB;
    int endA = toA;
    int endB = toB;
    while (lowA < endA && lowB < endB && a[lowA] == b[lowB]) {
      partners[lowA++] = lowB++;
    }
    while (lowA < endA && lowB < endB && a[endA - 1] == b[endB - 1]) {
      partners[--endA] = --endB;
    }
    if (lowA < endA && lowB < endB && !myers(a, lowA, endA, b, lowB, endB)) {
      isExact = false;
      pairUnique(a, lowA, endA, b, lowB, endB);
    }
  }

  /** Runs Myers's greedy algorithm; returns false if that would exceed the limits. */
  private boolean myers(long[] a, int lowA, int endA, long[] b, int lowB, int endB) {
    int n = endA - lowA;
    int m = endB - lowB;
    int most = Math.min(n + m, MAX_EDITS);
    int[] furthest = new int[2 * most + 3];
    Arrays.fill(furthest, NONE);
    int middle = most + 1;
    furthest[middle + 1] = 0; // round 0 steps down from here to (0, 0)
    List<int[]> trace = new ArrayList<>();
    for (int d = 0; d <= most && stepsLeft >= 0; d++) {
      // Only diagonals -d to d change in round d.
      trace.add(Arrays.copyOfRange(furthest, middle - d - 1, middle + d + 2));
      for (int k = -d; k <= d; k += 2) {
        int start = step(furthest, middle, k, n, m);
        int x = start;
        while (x != NONE && x < n && x - k < m && a[lowA + x] == b[lowB + x - k]) {
          x++;
        }
        furthest[middle + k] = x;
        stepsLeft -= 1 + x - start;
        if (x == n && x - k == m) {
          backtrack(trace, d, n, m, lowA, lowB);
          return true;
        }
      }
    }
    return false;
  }

  /**
   * Returns the start of a path on a diagonal after one more edit: a step right from the diagonal
   * below or a step down from the diagonal above, whichever gets further; {@link #NONE} if both
   * leave the grid.
   */
  private static int step(int[] furthest, int middle, int k, int n, int m) {
    int below = furthest[middle + k - 1];
    int above = furthest[middle + k + 1];
    int right = below != NONE && below < n ? below + 1 : NONE;
    int down = above != NONE && above - k <= m ? above : NONE;
    return Math.max(right, down);
  }

  private void backtrack(List<int[]> trace, int rounds, int n, int m, int lowA, int lowB) {
    int x = n;
    int y = m;
    for (int d = rounds; d > 0; d--) {
      int[] furthest = trace.get(d);
      int k = x - y;
      int start = step(furthest, d + 1, k, n, m);
      while (x > start) {
        partners[lowA + --x] = lowB + --y;
      }
      if (start == furthest[d + 1 + k + 1] && start - k <= m) {
        y--; // it stepped down
      } else {
        x--;
      }
    }
    while (x > 0) {
      partners[lowA + --x] = lowB + --y;
    }
  }

  /**
   * Pairs elements that occur once in each sequence, along their longest ascending subsequence, and
   * then equal neighbors of paired elements.
   */
  private void pairUnique(long[] a, int lowA, int endA, long[] b, int lowB, int endB) {
    long[] unique = inBoth(onlyOnes(a, lowA, endA), onlyOnes(b, lowB, endB));
    int[] inB = new int[unique.length];
    for (int i = lowB; i < endB; i++) {
      int place = Arrays.binarySearch(unique, b[i]);
      if (place >= 0) {
        inB[place] = i;
      }
    }
    int[] fromA = new int[unique.length];
    int[] fromB = new int[unique.length];
    int count = 0;
    for (int i = lowA; i < endA; i++) {
      int place = Arrays.binarySearch(unique, a[i]);
      if (place >= 0) {
        fromA[count] = i;
        fromB[count++] = inB[place];
      }
    }
    BitSet free = new BitSet();
    free.set(lowB, endB);
    for (int i : longestAscending(fromB)) {
      partners[fromA[i]] = fromB[i];
      free.clear(fromB[i]);
    }
    for (int i = lowA + 1; i < endA; i++) {
      pairBeside(i, i - 1, a, b, free);
    }
    for (int i = endA - 2; i >= lowA; i--) {
      pairBeside(i, i + 1, a, b, free);
    }
  }

  /**
   * Pairs an element with the element after (or before) its neighbor's partner, if the two are
   * equal and free.
   */
  private void pairBeside(int i, int beside, long[] a, long[] b, BitSet free) {
    int other = partners[beside] + i - beside;
    boolean isOpen = partners[i] == NONE && partners[beside] != NONE;
    if (isOpen && other >= 0 && free.get(other) && a[i] == b[other]) {
      partners[i] = other;
      free.clear(other);
    }
  }

  /** Returns the elements that occur once, in ascending order. O(n log n). */
  private static long[] onlyOnes(long[] elements, int low, int end) {
    long[] sorted = Arrays.copyOfRange(elements, low, end);
    Arrays.sort(sorted);
    int count = 0;
    for (int i = 0; i < sorted.length; ) {
      int next = i + 1;
      while (next < sorted.length && sorted[next] == sorted[i]) {
        next++;
      }
      if (next == i + 1) {
        sorted[count++] = sorted[i];
      }
      i = next;
    }
    return Arrays.copyOf(sorted, count);
  }

  /** Returns the elements that are in both of two ascending sequences. */
  private static long[] inBoth(long[] a, long[] b) {
    long[] both = new long[Math.min(a.length, b.length)];
    int count = 0;
    for (long element : a) {
      if (Arrays.binarySearch(b, element) >= 0) {
        both[count++] = element;
      }
    }
    return Arrays.copyOf(both, count);
  }

  /** Returns the indices of the longest ascending subsequence of distinct numbers. O(n log n). */
  private static int[] longestAscending(int[] numbers) {
    int[] tails = new int[numbers.length];
    int[] previous = new int[numbers.length];
    int length = 0;
    for (int i = 0; i < numbers.length; i++) {
      int low = 0;
      int high = length;
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (numbers[tails[middle]] < numbers[i]) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      previous[i] = low == 0 ? NONE : tails[low - 1];
      tails[low] = i;
      length = Math.max(length, low + 1);
    }
    int[] longest = new int[length];
    for (int i = length == 0 ? NONE : tails[length - 1]; i != NONE; i = previous[i]) {
      longest[--length] = i;
    }
    return longest;
  }
}
