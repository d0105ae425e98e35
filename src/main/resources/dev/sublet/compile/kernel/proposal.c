/* Moves and scales an anchor, and clips it to the image. Returns whether the box is large enough. */
static int @decode_proposal(
    const float *anchor, const float *variance, const float *delta, int64_t step,
    const float *image, float scale, float offset, float smallest, float *box) {
  int is_large = 1;
  for (int64_t axis = 0; axis < 2; axis++) {
    const float extent = anchor[axis + 2] - anchor[axis] + offset;
    const float center = anchor[axis] + 0.5f * extent;
    const float box_center = variance[axis] * delta[axis * step] * extent + center;
    /* At most the logarithm of 1000 / 16. */
    const float growth = @minimum_f32(variance[axis + 2] * delta[(axis + 2) * step], 4.1351666f);
    const float box_extent = (float)@exp((double)growth) * extent;
    const float limit = image[1 - axis] - offset;
    const float low = @maximum_f32(@minimum_f32(box_center - box_extent / 2, limit), 0);
    const float high = @maximum_f32(@minimum_f32(box_center + box_extent / 2 - offset, limit), 0);
    const float own = high - low + offset;
    box[axis] = low;
    box[axis + 2] = high;
    is_large = is_large
        && (offset == 0
                ? !(own < smallest)
                : !((high - low) / scale + 1 < smallest) && !(low + own / 2 > image[1 - axis]));
  }
  return is_large;
}

/* The best boxes of each image; a box of zeros if there is none. The kinds of anchors are the outer
 * axis of scores and deltas, but the inner axis of the anchors.
 */
static void @generate_proposals(
    int64_t images, int64_t kinds, int64_t area, int64_t width, int64_t candidates, int64_t most,
    int64_t rows, float threshold, float decay, float offset, float smallest, int is_scaled,
    const void *all_scores, const void *deltas, const void *info, const void *anchors,
    const void *variances, void *boxes, void *boxes_shape, void *probabilities,
    void *probabilities_shape, void *numbers, void *own_scores, void *heap, void *found) {
  float *const scores = own_scores;
  int32_t *const list = heap;
  float *const decoded = found;
  float *const kept = decoded + 4 * candidates;
  int64_t row = 0;
  for (int64_t image = 0; image < images; image++) {
    const float *const size = (const float *)info + image * width;
    int64_t count = 0;
    int64_t selected = 0;
    for (int64_t i = 0; i < kinds * area; i++) {
      scores[i] = ((const float *)all_scores)[(image * kinds + i % kinds) * area + i / kinds];
      if (scores[i] > -INFINITY) count = @offer(list, count, candidates, i, @by_score, scores, 1);
    }
    @put_in_order(list, count, @by_score, scores, 1);
    for (int64_t i = 0; i < count; i++) {
      const int64_t anchor = list[i];
      const float *const delta = (const float *)deltas
          + (image * kinds + anchor % kinds) * 4 * area + anchor / kinds;
      kept[selected] = scores[anchor];
      if (@decode_proposal(
              (const float *)anchors + 4 * anchor, (const float *)variances + 4 * anchor, delta,
              area, size, is_scaled ? size[2] : 1, offset, smallest, decoded + 4 * selected)) {
        selected++;
      }
    }
    for (int64_t i = 0; i < selected; i++) list[i] = (int32_t)i;
    if (threshold > 0) {
      selected = @suppress(list, selected, decoded, 4, threshold, decay, offset);
      if (selected > most) selected = most;
    }
    const int64_t own = selected > 0 ? selected : 1;
    for (int64_t i = 0; i < own; i++, row++) {
      for (int64_t k = 0; k < 4 && boxes != NULL; k++) {
        ((float *)boxes)[4 * row + k] = selected > 0 ? decoded[4 * list[i] + k] : 0;
      }
      if (probabilities != NULL) {
        ((float *)probabilities)[row] = selected > 0 ? kept[list[i]] : 0;
      }
    }
    if (numbers != NULL) ((int32_t *)numbers)[image] = (int32_t)own;
  }
  if (boxes != NULL) {
    @zero_rest(boxes, 16 * row, 16 * rows);
    ((int64_t *)boxes_shape)[0] = row;
    ((int64_t *)boxes_shape)[1] = 4;
  }
  if (probabilities != NULL) {
    @zero_rest(probabilities, 4 * row, 4 * rows);
    ((int64_t *)probabilities_shape)[0] = row;
    ((int64_t *)probabilities_shape)[1] = 1;
  }
}
