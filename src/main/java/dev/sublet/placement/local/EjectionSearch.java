package dev.sublet.placement.local;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Searches for offsets below a ceiling by ejection: a rectangle that fits nowhere takes the place
 * of others, which then look for a place themselves.
 *
 * <p>A rectangle that fits takes the tightest gap. One that does not becomes harder to eject, and
 * takes the offset at which the sum of what it ejects is least: of their sizes, each times how
 * often it has fitted nowhere. So those that are hard to place settle first, as in a search with
 * learned weights. Ties are broken at random, from a fixed seed.
 *
 * <p>A rectangle that is live with k others takes O(k log k).
 *
 * <p>Source: guided ejection search (Nagata and Bräysy, "A powerful route minimization heuristic
 * for the vehicle routing problem with time windows", 2009).
 */
final class EjectionSearch {

  /** The initial difficulty of ejecting a rectangle. */
  enum Size {
    AREA,
    ROOT_OF_AREA
  }

  private static final long UNPLACED = -1;

  /** The size of the largest rectangle; all others are in proportion. */
  private static final double MOST = 1 << 20;

  /** The number of rectangles whose comparison counts as one step. */
  private static final int RECTANGLES_PER_STEP = 4;

  private final Rectangles rectangles;
  private final LiveTogether live;
  private final SplittableRandom random;
  private final long[] sizes;
  private final int[] failures;
  private final long[] offsets;

  /** The rectangles without an offset; the last is placed next. */
  private final int[] waiting;

  private int waitingCount;
  private long ceiling;
  private long steps;
  private long moves;

  /** The placed rectangles that are live with the next one: their lower sides, and their tops. */
  private long[] lows = new long[64];

  private long[] tops = new long[64];
  private long[] lowSums = new long[65];
  private long[] topSums = new long[65];
  private int count;
  private final int indexBits;

  private long leastCost;
  private long bestOffset;
  private int ties;

  EjectionSearch(Rectangles rectangles, Size size) {
    this.rectangles = rectangles;
    live = new LiveTogether(rectangles);
    int n = rectangles.count;
    random = new SplittableRandom(rectangles.count);
    sizes = sizes(rectangles, size);
    failures = new int[n];
    offsets = new long[n];
    waiting = new int[n];
    indexBits = 64 - Long.numberOfLeadingZeros(n);
  }

  private static long[] sizes(Rectangles rectangles, Size size) {
    double[] areas = new double[rectangles.count];
    double most = 0;
    for (int i = 0; i < areas.length; i++) {
      double area = rectangles.area(i);
      areas[i] = size == Size.AREA ? area : Math.sqrt(area);
      most = Math.max(most, areas[i]);
    }
    long[] sizes = new long[areas.length];
    for (int i = 0; i < areas.length; i++) {
      sizes[i] = 1 + (long) (MOST * areas[i] / most);
    }
    return sizes;
  }

  /** The number of steps so far. */
  long steps() {
    return steps;
  }

  /** The number of rectangles placed so far. */
  long moves() {
    return moves;
  }

  long[] offsets() {
    return offsets.clone();
  }

  /** Starts anew: takes the offsets of all rectangles that end below a ceiling. */
  void start(long[] from, long newCeiling) {
    ceiling = newCeiling;
    Arrays.fill(failures, 1);
    waitingCount = 0;
    for (int i = 0; i < offsets.length; i++) {
      boolean fits = from[i] != UNPLACED && from[i] + rectangles.heights[i] <= ceiling;
      offsets[i] = fits ? from[i] : UNPLACED;
      if (!fits) {
        waiting[waitingCount++] = i;
      }
    }
    sortWaiting(0);
  }

  /**
   * Runs the given number of steps, or until all rectangles are placed; returns whether they are.
   */
  boolean run(long maxSteps) {
    long end = steps + maxSteps;
    while (waitingCount > 0 && steps < end) {
      int next = waiting[--waitingCount];
      collect(next);
      steps += 1 + count / RECTANGLES_PER_STEP;
      moves++;
      if (!placeInGap(next)) {
        failures[next]++;
        place(next);
      }
    }
    return waitingCount == 0;
  }

  /** Finds the placed rectangles that are live with one, and sorts them by their lower sides. */
  private void collect(int rectangle) {
    int[] found = live.with(rectangle);
    int hits = live.hits();
    if (lows.length < hits) {
      lows = new long[2 * hits];
      tops = new long[2 * hits];
      lowSums = new long[2 * hits + 1];
      topSums = new long[2 * hits + 1];
    }
    count = 0;
    for (int i = 0; i < hits; i++) {
      if (offsets[found[i]] != UNPLACED) {
        lows[count++] = offsets[found[i]] << indexBits | found[i];
      }
    }
    Arrays.sort(lows, 0, count);
  }

  private int rectangle(long key) {
    return (int) (key & (1L << indexBits) - 1);
  }

  private long low(int position) {
    return position == count ? ceiling : lows[position] >> indexBits;
  }

  private long top(int position) {
    return tops[position] >> indexBits;
  }

  /** Places a rectangle in the tightest gap, at either side; returns whether there is one. */
  private boolean placeInGap(int rectangle) {
    long height = rectangles.heights[rectangle];
    long from = 0;
    long tightest = Long.MAX_VALUE;
    long offset = UNPLACED;
    for (int i = 0; i <= count; i++) {
      long slack = low(i) - from - height;
      if (slack >= 0 && slack < tightest) {
        tightest = slack;
        offset = random.nextBoolean() ? from : from + slack;
      }
      if (i < count) {
        int other = rectangle(lows[i]);
        from = Math.max(from, offsets[other] + rectangles.heights[other]);
      }
    }
    offsets[rectangle] = offset;
    return offset != UNPLACED;
  }

  /** Places a rectangle where it ejects least, and ejects. */
  private void place(int rectangle) {
    long height = rectangles.heights[rectangle];
    sumCosts();
    leastCost = Long.MAX_VALUE;
    int below = 0;
    offer(0, lowSums[firstAtOrAbove(height, 0)]);
    for (int i = 0; i < count && top(i) + height <= ceiling; i++) {
      below = firstAtOrAbove(top(i) + height, below);
      offer(top(i), lowSums[below] - topSums[i + 1]);
    }
    int ended = 0;
    for (int i = 0; i <= count; i++) {
      long offset = low(i) - height;
      for (; ended < count && top(ended) <= offset; ended++) {}
      if (offset >= 0) {
        offer(offset, lowSums[i] - topSums[ended]);
      }
    }
    eject(bestOffset, bestOffset + height);
    offsets[rectangle] = bestOffset;
  }

  private void sumCosts() {
    for (int i = 0; i < count; i++) {
      int other = rectangle(lows[i]);
      tops[i] = (offsets[other] + rectangles.heights[other]) << indexBits | other;
    }
    Arrays.sort(tops, 0, count);
    for (int i = 0; i < count; i++) {
      lowSums[i + 1] = lowSums[i] + cost(rectangle(lows[i]));
      topSums[i + 1] = topSums[i] + cost(rectangle(tops[i]));
    }
  }

  private long cost(int rectangle) {
    return failures[rectangle] * sizes[rectangle];
  }

  private int firstAtOrAbove(long offset, int from) {
    int position = from;
    while (position < count && low(position) < offset) {
      position++;
    }
    return position;
  }

  /** Offers an offset with the cost of the rectangles that would be ejected there. */
  private void offer(long offset, long cost) {
    if (cost < leastCost) {
      leastCost = cost;
      bestOffset = offset;
      ties = 1;
    } else if (cost == leastCost && random.nextInt(++ties) == 0) {
      bestOffset = offset;
    }
  }

  private void eject(long from, long to) {
    int first = waitingCount;
    for (int i = 0; i < count && low(i) < to; i++) {
      int other = rectangle(lows[i]);
      if (offsets[other] + rectangles.heights[other] > from) {
        waiting[waitingCount++] = other;
        offsets[other] = UNPLACED;
      }
    }
    sortWaiting(first);
  }

  /** Sorts the waiting rectangles from a position on, so that the largest is placed first. */
  private void sortWaiting(int first) {
    long[] keys = new long[waitingCount - first];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = sizes[waiting[first + i]] << indexBits | waiting[first + i];
    }
    Arrays.sort(keys);
    for (int i = 0; i < keys.length; i++) {
      waiting[first + i] = rectangle(keys[i]);
    }
  }
}
