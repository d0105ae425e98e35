package dev.sublet.runtime.kernel.detection;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Non-maximum suppression: drops each box that overlaps too much with a better box. O(boxes ×
 * selected boxes).
 *
 * <p>Source: {@code nms_util.h} of Paddle 2.3.
 *
 * @param threshold the overlap above which a box is dropped
 * @param decay if below 1, the factor by which the threshold shrinks after each selected box, while
 *     the threshold is above one half
 * @param offset 1 if corners are pixels, else 0
 */
record Suppression(float threshold, float decay, float offset) {

  /**
   * Returns the boxes that remain, in the order of the candidates.
   *
   * @param boxes the corners, four numbers per box
   * @param candidates the boxes to select from, the best first
   */
  List<Integer> select(float[] boxes, List<Integer> candidates) {
    List<Integer> selected = new ArrayList<>();
    float adaptive = threshold;
    for (int candidate : candidates) {
      boolean stays = true;
      for (int other : selected) {
        // An overlap of NaN drops the box.
        stays = stays && Boxes.overlap(boxes, 4 * candidate, 4 * other, offset) <= adaptive;
      }
      if (stays) {
        selected.add(candidate);
        adaptive *= decay < 1 && adaptive > 0.5f ? decay : 1;
      }
    }
    return selected;
  }

  /**
   * Returns the indices below a count whose scores exceed a threshold, ordered by decreasing score.
   * Indices of equal scores ascend.
   */
  static List<Integer> byScore(float[] scores, int from, int count, float threshold) {
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      if (scores[from + i] > threshold) {
        order.add(i);
      }
    }
    order.sort(Comparator.comparingDouble((Integer i) -> -scores[from + i]));
    return order;
  }
}
