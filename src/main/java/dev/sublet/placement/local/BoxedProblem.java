package dev.sublet.placement.local;

import dev.sublet.placement.problem.Placement;
import dev.sublet.placement.problem.PlanningProblem;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * A problem whose buffers are boxes: several buffers of another problem that lie at fixed offsets
 * in a box, without a hole or almost. Each placement of the boxes is one of the buffers.
 *
 * <p>Example: two buffers of 4 bytes, live from 0 to 1 and from 1 to 2, and one of 6 bytes, live
 * from 0 to 2, are a box of 10 bytes.
 */
public final class BoxedProblem {

  private final PlanningProblem original;
  private final int[] order;
  private final Rectangles rectangles;
  private final BoxForest boxes;
  private final int[] roots;
  private final PlanningProblem problem;

  private BoxedProblem(
      PlanningProblem original, int[] order, Rectangles rectangles, BoxForest boxes) {
    this.original = original;
    this.order = order;
    this.rectangles = rectangles;
    this.boxes = boxes;
    this.roots = roots(boxes);
    PlanningProblem.Builder builder = PlanningProblem.builder(original.alignment());
    for (int root : roots) {
      builder.addBuffer(boxes.height(root) * original.alignment());
      builder.addInterval(boxes.begin(root), boxes.end(root));
    }
    this.problem = builder.build();
  }

  /**
   * Creates the problem.
   *
   * @param order the buffers of the original problem in the order of their rectangles
   */
  static BoxedProblem of(
      PlanningProblem original, int[] order, Rectangles rectangles, BoxForest boxes) {
    return new BoxedProblem(original, order, rectangles, boxes);
  }

  /** Returns the roots by first point, then by number. */
  static int[] roots(BoxForest boxes) {
    return IntStream.of(boxes.roots())
        .boxed()
        .sorted(Comparator.comparingInt(boxes::begin))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  /** The boxes. All have one interval and the common alignment of the original problem. */
  public PlanningProblem problem() {
    return problem;
  }

  /**
   * Returns the placement of the original buffers for one of the boxes, which may be smaller: each
   * buffer lies as low as those below it allow. O(n k log n) for buffers that are live with k
   * others.
   *
   * @param known gives the name and the lower bound
   */
  public Placement unpack(Placement placed, Placement known) {
    long[] rootOffsets =
        IntStream.range(0, roots.length)
            .mapToLong(box -> placed.offsets().get(box) / original.alignment())
            .toArray();
    long[] units = Settling.settle(rectangles, boxes.unpack(roots, rootOffsets));
    long[] offsets = new long[units.length];
    for (int i = 0; i < order.length; i++) {
      offsets[order[i]] = units[i] * original.alignment();
    }
    Placement unpacked = Placement.of(known.planner(), original, offsets);
    return new Placement(
        known.planner(),
        unpacked.offsets(),
        unpacked.arenaBytes(),
        Math.max(known.lowerBound(), unpacked.lowerBound()),
        known.nodes() + placed.nodes());
  }
}
