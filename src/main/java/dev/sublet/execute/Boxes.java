package dev.sublet.execute;

import dev.sublet.tensor.ElementType;
import dev.sublet.tensor.Tensor;
import java.util.Arrays;
import java.util.Comparator;

/**
 * Boxes of four numbers, left, top, right, bottom, one behind the other in an array. Where boxes
 * count pixels, the right and the bottom edge belong to them, which adds 1 to their extents.
 */
final class Boxes {

  private final float[] boxes;
  private final float edge;

  Boxes(float[] boxes, boolean countsPixels) {
    this.boxes = boxes;
    this.edge = countsPixels ? 1 : 0;
  }

  /**
   * The elements of a tensor.
   *
   * @throws OperatorException if they are not FLOAT32
   */
  static float[] floats(Tensor tensor) {
    if (tensor.type() != ElementType.FLOAT32) {
      throw new OperatorException("a tensor of " + tensor.type() + ", not float32");
    }
    return tensor.floats();
  }

  /** The area of a box; 0 if an edge lies on the wrong side. */
  float area(int box) {
    float width = boxes[4 * box + 2] - boxes[4 * box];
    float height = boxes[4 * box + 3] - boxes[4 * box + 1];
    return width < 0 || height < 0 ? 0 : (width + edge) * (height + edge);
  }

  /** The area that two boxes share, over the area that at least one of them covers. */
  float overlap(int left, int right) {
    int a = 4 * left;
    int b = 4 * right;
    if (boxes[b] > boxes[a + 2]
        || boxes[b + 2] < boxes[a]
        || boxes[b + 1] > boxes[a + 3]
        || boxes[b + 3] < boxes[a + 1]) {
      return 0;
    }
    float width = Math.min(boxes[a + 2], boxes[b + 2]) - Math.max(boxes[a], boxes[b]) + edge;
    float height =
        Math.min(boxes[a + 3], boxes[b + 3]) - Math.max(boxes[a + 1], boxes[b + 1]) + edge;
    float shared = width * height;
    return shared / (area(left) + area(right) - shared);
  }

  /**
   * The boxes that overlap no better one too much: best first. O(candidates × kept).
   *
   * @param candidates their numbers, best first
   * @param threshold how much overlap is allowed
   * @param eta what the threshold is multiplied with for each box kept, while it is above one half
   */
  int[] suppress(int[] candidates, float threshold, float eta) {
    int[] kept = new int[candidates.length];
    int count = 0;
    float allowed = threshold;
    for (int candidate : candidates) {
      boolean keeps = true;
      for (int i = 0; i < count && keeps; i++) {
        keeps = overlap(candidate, kept[i]) <= allowed;
      }
      if (keeps) {
        kept[count++] = candidate;
        allowed *= eta < 1 && allowed > 0.5f ? eta : 1;
      }
    }
    return Arrays.copyOf(kept, count);
  }

  /** Numbers of scores, the highest first; of equal ones the first. */
  static int[] best(float[] scores, int[] numbers) {
    return Arrays.stream(numbers)
        .boxed()
        .sorted(Comparator.comparingDouble(i -> -scores[i]))
        .mapToInt(Integer::intValue)
        .toArray();
  }
}
