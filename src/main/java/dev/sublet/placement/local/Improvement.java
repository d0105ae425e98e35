package dev.sublet.placement.local;

import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;

/**
 * Offsets of rectangles, and the methods that improve them: sweeps over time, boxes, and ejection
 * on two threads. Each ends as soon as the arena is low enough.
 *
 * <p>Deterministic: every method has a budget of steps, and the threads exchange results only
 * between rounds of a fixed number of steps, in a fixed order.
 */
final class Improvement {

  /** The number of ceilings of a kind of sweep, evenly between the bound and the known top. */
  private static final int CEILINGS = 16;

  /** The number of times that boxes are looked for, each time in another order. */
  private static final int BOXINGS = 8;

  /** The same, if boxes may have holes. */
  private static final int BOXINGS_WITH_HOLES = 2;

  /** Heights that differ by at most the bound divided by this may be taken for equal. */
  private static final int TOLERANCE = 4096;

  /** A gap is small if it is less than the bound divided by this. */
  private static final int SMALL_GAP = 1000;

  /** The number of times that the two threads exchange what they have found. */
  private static final int ROUNDS = 8;

  private final Rectangles rectangles;
  private final long enough;
  private long[] offsets;
  private long top;
  private long moves;

  /**
   * Creates the improvement of offsets.
   *
   * @param top the height of the arena that is to be improved; more than all offsets may need
   * @param enough the height at which the improvement ends; at least the load
   */
  Improvement(Rectangles rectangles, long[] offsets, long top, long enough) {
    this.rectangles = rectangles;
    this.enough = Math.max(rectangles.load, enough);
    this.offsets = offsets;
    this.top = top;
  }

  /** Creates the search for offsets with which rectangles need less than an arena. */
  static Improvement ofNothing(Rectangles rectangles, long top) {
    long[] none = new long[rectangles.count];
    Arrays.fill(none, -1);
    return new Improvement(rectangles, none, top, rectangles.load);
  }

  /** The best offsets; all negative if there were none and none were found. */
  long[] offsets() {
    return offsets;
  }

  long top() {
    return top;
  }

  /** Whether the gap to the bound is less than a thousandth of the bound. */
  boolean isGapSmall() {
    return top - rectangles.load < rectangles.load / SMALL_GAP;
  }

  /** The number of rectangles that were placed by ejection. */
  long moves() {
    return moves;
  }

  private boolean isImprovable() {
    return enough < top;
  }

  private void take(long[] found) {
    long height = rectangles.top(found);
    if (height < top) {
      top = height;
      offsets = found;
    }
  }

  /**
   * Sweeps in both directions of time, each time below the lowest ceiling that does not fail, until
   * no sweep finds a lower one.
   */
  void sweep(long budget) {
    TimeSweep[] sweeps = {new TimeSweep(rectangles, false), new TimeSweep(rectangles, true)};
    long before;
    do {
      before = top;
      for (int kind = 0; kind < TimeSweep.KINDS && isImprovable(); kind++) {
        sweep(sweeps[kind % 2], kind, budget / TimeSweep.KINDS);
      }
    } while (top < before && sweeps[0].steps() + sweeps[1].steps() < budget);
  }

  private void sweep(TimeSweep sweep, int kind, long maxSteps) {
    long end = sweep.steps() + maxSteps;
    long distance = Math.max(1, (top - rectangles.load) / CEILINGS);
    long bound = rectangles.load;
    for (long ceiling = bound; ceiling < top && sweep.steps() < end; ceiling += distance) {
      if (sweep.run(ceiling, kind, end - sweep.steps())) {
        take(sweep.offsets());
        return;
      }
    }
  }

  /**
   * Looks for boxes without holes, and if these do not end as a single one, for boxes with small
   * holes. Then places the boxes instead of the rectangles.
   */
  void box(long budget) {
    int least = box(/* tolerance= */ 0, BOXINGS, budget / 2);
    if (isImprovable() && least > 1) {
      box(rectangles.load / TOLERANCE, BOXINGS_WITH_HOLES, budget / 2);
    }
  }

  /** Looks for boxes several times, places the fewest, and returns their number. */
  private int box(long tolerance, int times, long budget) {
    BoxForest fewest = FewestBoxes.find(rectangles, tolerance, times, budget / 2);
    if (FewestBoxes.areWorthPlacing(fewest)) {
      place(fewest, budget / 2);
    }
    return fewest.rootCount();
  }

  private void place(BoxForest boxes, long budget) {
    int[] roots = BoxedProblem.roots(boxes);
    Rectangles packed =
        Rectangles.of(
            IntStream.of(roots).map(boxes::begin).toArray(),
            IntStream.of(roots).map(boxes::end).toArray(),
            IntStream.of(roots).mapToLong(boxes::height).toArray());
    if (packed.load >= top) {
      return;
    }
    Improvement improvement = ofNothing(packed, top);
    improvement.sweep(budget / 2);
    improvement.eject(budget / 2);
    moves += improvement.moves();
    if (improvement.top() < top) {
      take(boxes.unpack(roots, improvement.offsets()));
    }
  }

  /** Lets all rectangles fall as low as they can. */
  void settle() {
    take(Settling.settle(rectangles, offsets));
  }

  /**
   * Ejects on two threads, which prefer different rectangles.
   *
   * @param budget the number of steps that each thread may take
   */
  void eject(long budget) {
    if (!isImprovable()) {
      return;
    }
    EjectionSearch.Size size = EjectionSearch.Size.ROOT_OF_AREA;
    Climb first = new Climb(rectangles, size, offsets, top, enough, budget);
    Climb second = new Climb(rectangles, EjectionSearch.Size.AREA, offsets, top, enough, budget);
    for (int round = 0; round < ROUNDS && isImprovable(); round++) {
      CompletableFuture<Void> other = CompletableFuture.runAsync(() -> second.run(budget / ROUNDS));
      first.run(budget / ROUNDS);
      join(other);
      first.take(second.offsets(), second.top());
      second.take(first.offsets(), first.top());
      offsets = first.offsets();
      top = first.top();
    }
    moves += first.moves() + second.moves();
  }

  private static void join(CompletableFuture<Void> other) {
    try {
      other.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof Error limit) {
        throw limit;
      }
      throw e;
    }
  }
}
