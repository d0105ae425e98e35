package dev.sublet.placement.local;

import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.placement.problem.Placement;
import dev.sublet.placement.problem.PlannerOptions;
import dev.sublet.placement.problem.PlanningProblem;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Improves placements of problems that are too large to be searched as a whole, and joins buffers
 * to boxes: the front door.
 */
public final class LargePlanner {

  /** The maximum number of buffers: two points and a buffer must fit into a long. */
  private static final int MAX_BUFFERS = 1 << 20;

  private static final String NAME = "sweep";

  /** The number of steps of all sweeps. */
  private static final long SWEEP_STEPS = 1_000_000;

  /** Boxes get the budget divided by this. */
  private static final int BOX_SHARE = 2;

  /** The number of times that {@link #box} looks for boxes. */
  private static final int BOXINGS = 8;

  /** The budget is divided by this if little can be gained. */
  private static final int SMALL_GAP_SHARE = 8;

  private LargePlanner() {}

  /**
   * Whether {@link #improve} takes a problem: every buffer has one interval, all have the same
   * alignment, and none has a pin or a window. O(buffers).
   */
  public static boolean canImprove(PlanningProblem problem) {
    int buffers = problem.bufferCount();
    if (problem.hasPins()
        || problem.hasWindows()
        || buffers > MAX_BUFFERS
        || buffers != problem.intervalCount()) {
      return false;
    }
    for (int buffer = 0; buffer < buffers; buffer++) {
      if (problem.alignment(buffer) != problem.alignment()) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns the placement of the best of several sweeps over time, or null if none needs less than
   * twice the lower bound, or if the problem is not one for {@link #improve}. O(n log n), and for
   * each sweep and buffer time linear in the gaps that there are when the buffer begins.
   */
  public static @Nullable Placement sweep(PlanningProblem problem) {
    if (!canImprove(problem)) {
      return null;
    }
    int[] order = Rectangles.order(problem);
    Rectangles rectangles = Rectangles.of(problem, order);
    Improvement improvement = Improvement.ofNothing(rectangles, 2 * rectangles.load);
    improvement.sweep(SWEEP_STEPS);
    boolean isFound = improvement.top() < 2 * rectangles.load;
    return isFound ? Placement.of(NAME, problem, bytes(problem, order, improvement)) : null;
  }

  /**
   * Returns a placement that is at least as small as a known one. The arena does not depend on the
   * order of the buffers, if that of the known placement does not.
   *
   * @param options the number of steps that each of two threads may take, and the gap at which they
   *     stop
   */
  public static Placement improve(
      PlanningProblem problem, Placement known, PlannerOptions options) {
    if (known.isProvedOptimal() || !canImprove(problem) || isTooHigh(problem, known)) {
      return known;
    }
    int[] order = Rectangles.order(problem);
    Rectangles rectangles = Rectangles.of(problem, order);
    long[] offsets =
        IntStream.of(order).mapToLong(b -> known.offsets().get(b) / problem.alignment()).toArray();
    long enough = options.gap().largestArena(known.lowerBound()) / problem.alignment();
    Improvement improvement = new Improvement(rectangles, offsets, rectangles.top(offsets), enough);
    improvement.box(share(options.nodes(), improvement) / BOX_SHARE);
    improvement.eject(share(options.nodes(), improvement));
    improvement.settle();
    long[] bytes = bytes(problem, order, improvement);
    long arena = Placement.arenaBytes(problem, bytes);
    boolean isBetter = arena < known.arenaBytes();
    return new Placement(
        known.planner(),
        isBetter ? ImmutableLongArray.copyOf(bytes) : known.offsets(),
        isBetter ? arena : known.arenaBytes(),
        known.lowerBound(),
        known.nodes() + improvement.moves());
  }

  /** The part of a budget that is spent: a small one if little can be gained. */
  private static long share(long steps, Improvement improvement) {
    return improvement.isGapSmall() ? steps / SMALL_GAP_SHARE : steps;
  }

  /**
   * Joins buffers to boxes without a hole, or almost, and returns the problem of placing the boxes.
   * Returns nothing if there are more than half as many boxes as buffers, or if the problem is not
   * one for {@link #improve}. The boxes do not depend on the order of the buffers.
   *
   * @param tolerance the greatest difference of heights that are taken for equal, in bytes; 0 for
   *     boxes without a hole
   * @param steps the number of steps that it may take
   */
  public static Optional<BoxedProblem> box(PlanningProblem problem, long tolerance, long steps) {
    if (!canImprove(problem)) {
      return Optional.empty();
    }
    int[] order = Rectangles.order(problem);
    Rectangles rectangles = Rectangles.of(problem, order);
    BoxForest boxes = FewestBoxes.find(rectangles, tolerance / problem.alignment(), BOXINGS, steps);
    return FewestBoxes.areWorthPlacing(boxes)
        ? Optional.of(BoxedProblem.of(problem, order, rectangles, boxes))
        : Optional.empty();
  }

  private static long[] bytes(PlanningProblem problem, int[] order, Improvement improvement) {
    long[] bytes = new long[order.length];
    for (int i = 0; i < order.length; i++) {
      bytes[order[i]] = improvement.offsets()[i] * problem.alignment();
    }
    return bytes;
  }

  /** Whether an offset and a buffer may not fit into a long together. */
  private static boolean isTooHigh(PlanningProblem problem, Placement known) {
    int bits = Long.SIZE - Long.numberOfLeadingZeros(problem.bufferCount());
    return known.arenaBytes() / problem.alignment() >= 1L << (Long.SIZE - 3 - bits);
  }
}
