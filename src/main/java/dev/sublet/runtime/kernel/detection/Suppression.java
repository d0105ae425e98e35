package dev.sublet.runtime.kernel.detection;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Non-maximum suppression: of boxes that overlap too much only the best one stays. O(boxes ×
 * selected boxes).
 *
 * <p>Source: {@code nms_util.h} of Paddle 2.3.
 *
 * @param threshold the overlap above which a box is dropped
 * @param decay below 1, what the threshold is multiplied with after each selected box while it is
 *     above one half
 * @param offset 1 if corners are pixels, else 0
 */
record Suppression(float threshold, float decay, float offset) {

  /**
   * The boxes that stay, in the order in which they are given.
   *
   * @param boxes four corners each
   * @param candidates the boxes to look at, the best one first
   */
  List<Integer> select(float[] boxes, List<Integer> candidates) {
    List<Integer> selected = new ArrayList<>();
    float adaptive = threshold;
    for (int candidate : candidates) {
      boolean stays = true;
      for (int other : selected) {
        // NaN counts as too much.
        stays = stays && Boxes.overlap(boxes, 4 * candidate, 4 * other, offset) <= adaptive;
      }
      if (stays) {
        selected.add(candidate);
        adaptive *= decay < 1 && adaptive > 0.5f ? decay : 1;
      }
    }
    return selected;
  }

  /** Numbers from 0 on and below a count, those of the greatest scores first; else ascending. */
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
