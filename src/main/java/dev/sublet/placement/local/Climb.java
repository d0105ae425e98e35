package dev.sublet.placement.local;

/**
 * Lowers the ceiling of a placement in small steps, by {@link EjectionSearch}: each step removes
 * the rectangles that end above the new ceiling and searches for another place for it. After a
 * failure the next step is smaller; after a success, larger.
 *
 * <p>The steps are small because the search keeps what an easy ceiling has taught it about the
 * offsets, while a ceiling that is too low undoes a good placement.
 */
final class Climb {

  /** The first step is the gap to the bound divided by two to the power of this. */
  private static final int FIRST_SHIFT = 3;

  private static final int LAST_SHIFT = 6;

  /** A step has failed after the budget divided by this. */
  private static final int PATIENCE = 6;

  private final Rectangles rectangles;
  private final EjectionSearch search;
  private final long enough;
  private final long patience;
  private long[] offsets;
  private long top;
  private int shift = FIRST_SHIFT;
  private boolean isSearching;
  private long ceiling;

  /** The number of steps after which the search below the ceiling has failed. */
  private long left;

  /**
   * Creates a climb from offsets, which are missing where they are negative.
   *
   * @param enough the height at which the climb ends
   * @param budget the number of steps of all runs
   */
  Climb(
      Rectangles rectangles,
      EjectionSearch.Size size,
      long[] offsets,
      long top,
      long enough,
      long budget) {
    this.rectangles = rectangles;
    this.offsets = offsets;
    this.top = top;
    this.enough = enough;
    search = new EjectionSearch(rectangles, size);
    patience = Math.max(1, budget / PATIENCE);
  }

  long[] offsets() {
    return offsets;
  }

  long top() {
    return top;
  }

  /** The number of rectangles that were placed so far, those that were ejected again included. */
  long moves() {
    return search.moves();
  }

  /** Goes on from better offsets, which another climb has found. */
  void take(long[] found, long newTop) {
    if (newTop < top) {
      offsets = found;
      top = newTop;
    }
  }

  /** Runs the given number of steps, or until the top is low enough. */
  void run(long steps) {
    long end = search.steps() + steps;
    while (search.steps() < end && enough < top) {
      if (!isSearching || ceiling >= top) {
        start();
      }
      long before = search.steps();
      boolean isFound = search.run(Math.min(left, end - before));
      left -= search.steps() - before;
      if (isFound) {
        offsets = search.offsets();
        top = rectangles.top(offsets);
        shift = Math.max(FIRST_SHIFT, shift - 1);
      } else if (left <= 0) {
        shift = shift == LAST_SHIFT ? FIRST_SHIFT : shift + 1;
      }
      isSearching = !isFound && left > 0;
    }
  }

  private void start() {
    ceiling = top - Math.max(1, (top - rectangles.load) >> shift);
    left = patience;
    search.start(offsets, ceiling);
  }
}
