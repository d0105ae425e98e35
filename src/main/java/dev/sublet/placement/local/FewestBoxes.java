package dev.sublet.placement.local;

import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Looks for boxes several times, each time in another order of the rectangles and in the other
 * direction of time, and keeps the fewest. See {@link Boxing} for what one attempt does and costs.
 */
final class FewestBoxes {

  /** The minimum number of rectangles per box for boxes to be placed instead of rectangles. */
  private static final int LEAVES_PER_BOX = 2;

  private FewestBoxes() {}

  /**
   * Returns the boxes of the best attempt, which are the rectangles themselves if there are none.
   * Ends early if an attempt leaves too many boxes to be worth placing.
   *
   * @param tolerance the greatest difference of heights that are taken for equal
   * @param times the number of attempts
   * @param budget the number of steps of all attempts
   */
  static BoxForest find(Rectangles rectangles, long tolerance, int times, long budget) {
    Rectangles reversed = rectangles.reversed();
    SplittableRandom random = new SplittableRandom(rectangles.count);
    int[] order = IntStream.range(0, rectangles.count).toArray();
    BoxForest best = new BoxForest(rectangles, order);
    boolean isPromising = true;
    long left = budget;
    for (int i = 0; i < times && isPromising && best.rootCount() > 1 && left > 0; i++) {
      Boxing boxing = Boxing.of(i % 2 == 0 ? rectangles : reversed, order, tolerance, left);
      left -= boxing.steps();
      best = boxing.boxes().rootCount() < best.rootCount() ? boxing.boxes() : best;
      isPromising = areWorthPlacing(boxing.boxes());
      shuffle(order, random);
    }
    return best;
  }

  /**
   * Whether there are at most half as many boxes as rectangles, so that placing them is much
   * easier.
   */
  static boolean areWorthPlacing(BoxForest boxes) {
    return boxes.rootCount() <= boxes.leaves / LEAVES_PER_BOX;
  }

  private static void shuffle(int[] order, SplittableRandom random) {
    for (int i = order.length - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      int swapped = order[i];
      order[i] = order[j];
      order[j] = swapped;
    }
  }
}
