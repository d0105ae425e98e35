package dev.sublet.placement.local;

import java.util.Arrays;

/**
 * Places rectangles below a ceiling by first point, each in the tightest gap whose neighbor ends at
 * about the same time. The rectangle is placed next to that neighbor, at the lower or the upper
 * side of the gap.
 *
 * <p>So rectangles that end together are neighbors and leave one gap. In the trace of a training
 * step, activations pile up from below and gradients that are kept from above:
 *
 * <pre>
 *   forward: 0 [a b c d . . . . . .]   backward: 0 [a b . . . . . C D] with the gradients C and D
 * </pre>
 *
 * <p>A sweep may run backwards in time. O(n log n) and, per rectangle, time linear in the gaps of
 * its first point, which are few where rectangles are packed tightly. Sorting is done only once.
 *
 * <p>Source: the address-ordered best fit of allocators (Wilson et al. 1995) with known lifetimes;
 * the ceiling and the choice of side were added here.
 */
final class TimeSweep {

  /**
   * Pairs of weights: for a tight gap, and for a neighbor that ends at the same time. Sweeps try
   * every pair.
   */
  private static final int[][] WEIGHTS = {{1, 4}, {4, 1}, {1, 1}, {1, 0}};

  /** The number of different sweeps. */
  static final int KINDS = 2 * WEIGHTS.length;

  /** The number of gaps whose comparison counts as one step. */
  private static final int VISITS_PER_STEP = 128;

  private static final int INDEX_BITS = 21;
  private static final int FRACTION_BITS = 6;

  /** The cost of a gap that is filled exactly, less than that of any other gap. */
  private static final long EXACT = -1_000_000;

  private final Rectangles rectangles;
  private final boolean isBackwards;
  private final int floor;
  private final int ceiling;
  private final int[] byBegin;
  private final int[] byEnd;

  /** The neighbors of the live rectangles in the order of their offsets. */
  private final int[] above;

  private final int[] below;

  /** The rectangles (or the floor) above which there is a gap, and their positions in the list. */
  private final int[] gaps;

  private final int[] gapPositions;
  private int gapCount;

  private final long[] offsets;
  private long visits;
  private int tightness;
  private int closeness;

  /** Prepares sweeps over rectangles. O(n log n). */
  TimeSweep(Rectangles rectangles, boolean isBackwards) {
    this.rectangles = rectangles;
    this.isBackwards = isBackwards;
    int n = rectangles.count;
    floor = n;
    ceiling = n + 1;
    byBegin = new int[n];
    byEnd = new int[n];
    above = new int[n + 2];
    below = new int[n + 2];
    gaps = new int[n + 2];
    gapPositions = new int[n + 2];
    offsets = new long[n + 2];
    sort();
  }

  /** The offsets of the latest sweep. */
  long[] offsets() {
    return Arrays.copyOf(offsets, rectangles.count);
  }

  /** The number of steps of all sweeps. */
  long steps() {
    return visits / VISITS_PER_STEP;
  }

  /**
   * Sweeps until a rectangle does not fit or the steps are spent, and returns whether all were
   * placed.
   *
   * @param height the offset of the ceiling
   * @param kind one of {@link #KINDS}, of which the last bit is the direction of this object
   */
  boolean run(long height, int kind, long maxSteps) {
    long maxVisits = visits + VISITS_PER_STEP * maxSteps;
    tightness = WEIGHTS[kind / 2][0];
    closeness = WEIGHTS[kind / 2][1];
    Arrays.fill(gapPositions, -1);
    gapCount = 0;
    above[floor] = ceiling;
    below[ceiling] = floor;
    offsets[floor] = 0;
    offsets[ceiling] = height;
    addGap(floor);
    int ended = 0;
    for (int next : byBegin) {
      for (; end(byEnd[ended]) <= begin(next); ended++) {
        release(byEnd[ended]);
      }
      int gap = find(next);
      if (gap < 0 || visits > maxVisits) {
        return false;
      }
      insert(next, gap);
    }
    return true;
  }

  /** Sorts by begin, the longest first, and by end; then by index. */
  private void sort() {
    long[] keys = new long[byBegin.length];
    for (int i = 0; i < keys.length; i++) {
      int latest = rectangles.points - end(i);
      keys[i] = ((long) begin(i) << INDEX_BITS | latest) << INDEX_BITS | i;
    }
    unpack(keys, byBegin);
    for (int i = 0; i < keys.length; i++) {
      keys[i] = (long) end(i) << INDEX_BITS | i;
    }
    unpack(keys, byEnd);
  }

  private static void unpack(long[] keys, int[] sorted) {
    Arrays.sort(keys);
    for (int i = 0; i < keys.length; i++) {
      sorted[i] = (int) keys[i] & (1 << INDEX_BITS) - 1;
    }
  }

  private int begin(int rectangle) {
    return isBackwards
        ? rectangles.points - rectangles.ends[rectangle]
        : rectangles.begins[rectangle];
  }

  /** The first point after a rectangle; the floor and the ceiling end last. */
  private int end(int rectangle) {
    if (rectangle >= floor) {
      return rectangles.points;
    }
    return isBackwards
        ? rectangles.points - rectangles.begins[rectangle]
        : rectangles.ends[rectangle];
  }

  private long top(int rectangle) {
    return rectangle == floor ? 0 : offsets[rectangle] + rectangles.heights[rectangle];
  }

  private long gapAbove(int rectangle) {
    return offsets[above[rectangle]] - top(rectangle);
  }

  private void addGap(int rectangle) {
    if (gapPositions[rectangle] < 0 && gapAbove(rectangle) > 0) {
      gapPositions[rectangle] = gapCount;
      gaps[gapCount++] = rectangle;
    }
  }

  private void removeGap(int rectangle) {
    int position = gapPositions[rectangle];
    if (position >= 0) {
      int last = gaps[--gapCount];
      gaps[position] = last;
      gapPositions[last] = position;
      gapPositions[rectangle] = -1;
    }
  }

  private void release(int rectangle) {
    removeGap(rectangle);
    above[below[rectangle]] = above[rectangle];
    below[above[rectangle]] = below[rectangle];
    addGap(below[rectangle]);
  }

  /** Returns the best gap for a rectangle, or -1 if it fits into none. */
  private int find(int rectangle) {
    long height = rectangles.heights[rectangle];
    long logarithm = logarithm(height);
    long least = Long.MAX_VALUE;
    int best = -1;
    for (int i = 0; i < gapCount; i++) {
      int gap = gaps[i];
      long bytes = gapAbove(gap);
      if (bytes < height) {
        continue;
      }
      long distance =
          logarithm(Math.min(distance(rectangle, gap), distance(rectangle, above[gap])));
      long waste = bytes == height ? EXACT : tightness * (logarithm(bytes) - logarithm);
      long cost = closeness * distance + waste;
      if (cost < least || (cost == least && offsets[gap] < offsets[best])) {
        least = cost;
        best = gap;
      }
    }
    visits += 2 + gapCount;
    return best;
  }

  private int distance(int rectangle, int neighbor) {
    return Math.abs(end(rectangle) - end(neighbor));
  }

  /** Places a rectangle at the side of a gap at which the neighbor ends at a closer time. */
  private void insert(int rectangle, int gap) {
    int upper = above[gap];
    boolean isUpper = distance(rectangle, upper) < distance(rectangle, gap);
    removeGap(gap);
    offsets[rectangle] = isUpper ? offsets[upper] - rectangles.heights[rectangle] : top(gap);
    above[gap] = rectangle;
    below[rectangle] = gap;
    above[rectangle] = upper;
    below[upper] = rectangle;
    addGap(gap);
    addGap(rectangle);
  }

  /** The binary logarithm in 64ths, rounded so that machines agree: linear between powers. */
  private static long logarithm(long number) {
    if (number == 0) {
      return 0;
    }
    int exponent = 63 - Long.numberOfLeadingZeros(number);
    long fraction =
        exponent > FRACTION_BITS
            ? number >>> (exponent - FRACTION_BITS)
            : number << (FRACTION_BITS - exponent);
    return ((long) exponent << FRACTION_BITS) + fraction - (1 << FRACTION_BITS);
  }
}
