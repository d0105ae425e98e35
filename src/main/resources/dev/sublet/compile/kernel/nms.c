/* Whether a score is better; a zero is better than a negative zero, and all numbers than NaN. */
static inline int @is_better(float a, float b) {
  return a > b || (a == b && !signbit(a) && signbit(b)) || (a == a && b != b);
}

static int @by_score(const void *scores, int64_t step, int64_t i, int64_t j) {
  const float a = ((const float *)scores)[i * step];
  const float b = ((const float *)scores)[j * step];
  return @is_better(a, b) || (!@is_better(b, a) && i < j);
}

/* Selects boxes, the best first, without those that overlap a selected one too much. The selected
 * ones come first in the list; an overlap of NaN drops a box.
 */
static int64_t @suppress(
    int32_t *list, int64_t count, const float *boxes, int64_t step, float threshold, float decay,
    float offset) {
  int64_t selected = 0;
  for (int64_t i = 0; i < count; i++) {
    int stays = 1;
    for (int64_t k = 0; k < selected && stays; k++) {
      stays = @overlap(boxes + list[i] * step, boxes + list[k] * step, offset) <= threshold;
    }
    if (stays) {
      list[selected++] = list[i];
      threshold *= decay < 1 && threshold > 0.5f ? decay : 1;
    }
  }
  return selected;
}

/* Adds a detection to at most `most`, of which the best stay, and of equal ones the first. Returns
 * their number.
 */
static int64_t @keep_best(
    int32_t *labels, int32_t *boxes, float *scores, int64_t count, int64_t most, int32_t label,
    int32_t box, float score) {
  int64_t at = count;
  if (count == most) {
    if (most == 0) return 0;
    int64_t worst = 0;
    for (int64_t i = 1; i < count; i++) {
      if (!@is_better(scores[i], scores[worst])) worst = i;
    }
    if (!@is_better(score, scores[worst])) return count;
    at = count - 1;
    for (int64_t i = worst; i < at; i++) {
      labels[i] = labels[i + 1];
      boxes[i] = boxes[i + 1];
      scores[i] = scores[i + 1];
    }
  }
  labels[at] = label;
  boxes[at] = box;
  scores[at] = score;
  return at + 1;
}

/* Orders detections by class and box. */
static void @by_box(int32_t *labels, int32_t *boxes, float *scores, int64_t count) {
  for (int64_t i = 1; i < count; i++) {
    const int32_t label = labels[i];
    const int32_t box = boxes[i];
    const float score = scores[i];
    int64_t at = i;
    for (; at > 0 && labels[at - 1] == label && boxes[at - 1] > box; at--) {
      boxes[at] = boxes[at - 1];
      scores[at] = scores[at - 1];
    }
    boxes[at] = box;
    scores[at] = score;
  }
}

/* Selects boxes class by class. With rois == NULL, every image has `count` boxes for all classes;
 * else rois has their numbers, and each box has corners for each class.
 */
static void @multiclass_nms(
    int64_t images, int64_t classes, int64_t count, int64_t background, int64_t limit, int64_t most,
    int64_t rows, float least, float threshold, float decay, float offset, int says_empty,
    const void *all_boxes, const void *all_scores, const void *rois, int64_t bytes, void *to,
    void *shape, void *index, void *index_shape, void *numbers, void *heap, void *found) {
  float *out = to;
  int32_t *const list = heap;
  int32_t *const labels = found;
  int32_t *const places = labels + most;
  float *const kept = (float *)(void *)(places + most);
  const int64_t all = count;
  int64_t start = 0;
  int64_t row = 0;
  for (int64_t image = 0; image < images; image++) {
    int64_t own = rois == NULL ? count : @integer(rois, bytes, image);
    if (rois != NULL && (own < 0 || own > all - start)) own = 0;
    int64_t detections = 0;
    for (int64_t c = 0; c < classes; c++) {
      const float *const scores =
          (const float *)all_scores + start * classes + (rois == NULL ? c * count : c);
      const float *const boxes =
          (const float *)all_boxes + (rois == NULL ? 4 * start : 4 * (start * classes + c));
      const int64_t step = rois == NULL ? 1 : classes;
      int64_t size = 0;
      if (c == background) continue;
      for (int64_t i = 0; i < own; i++) {
        if (scores[i * step] > least) size = @offer(list, size, limit, i, @by_score, scores, step);
      }
      @put_in_order(list, size, @by_score, scores, step);
      size = @suppress(list, size, boxes, 4 * step, threshold, decay, offset);
      for (int64_t i = 0; i < size; i++) {
        detections = @keep_best(
            labels, places, kept, detections, most, (int32_t)c, list[i], scores[list[i] * step]);
      }
    }
    if (rois != NULL) @by_box(labels, places, kept, detections);
    for (int64_t i = 0; i < detections; i++, row++) {
      const int64_t box =
          rois == NULL ? start + places[i] : (start + places[i]) * classes + labels[i];
      if (out != NULL) {
        out[6 * row] = (float)labels[i];
        out[6 * row + 1] = kept[i];
        memcpy(out + 6 * row + 2, (const float *)all_boxes + 4 * box, 4 * sizeof(float));
      }
      if (index != NULL) ((int32_t *)index)[row] = (int32_t)box;
    }
    if (numbers != NULL) ((int32_t *)numbers)[image] = (int32_t)detections;
    start += own;
  }
  if (out != NULL) {
    @zero_rest(out, 24 * row, 24 * rows);
    ((int64_t *)shape)[0] = row;
    ((int64_t *)shape)[1] = 6;
    if (says_empty && row == 0) {
      out[0] = -1;
      ((int64_t *)shape)[0] = 1;
      ((int64_t *)shape)[1] = 1;
    }
  }
  if (index != NULL) {
    @zero_rest(index, 4 * row, 4 * rows);
    ((int64_t *)index_shape)[0] = row;
    ((int64_t *)index_shape)[1] = 1;
  }
}

/* ONNX's boxes: two opposite corners, the lesser coordinates first, of corners or center and size. */
static void @nms_corners(int64_t boxes, int has_centers, const void *from, void *to) {
  for (int64_t i = 0; i < boxes; i++) {
    const float *const box = (const float *)from + 4 * i;
    float *const corners = (float *)to + 4 * i;
    for (int64_t k = 0; k < 2; k++) {
      const float a = box[k];
      const float b = box[k + 2];
      corners[k] = has_centers ? a - b / 2 : @minimum_f32(a, b);
      corners[k + 2] = has_centers ? a + b / 2 : @maximum_f32(a, b);
    }
  }
}

static inline float @corner_area(const float *box) {
  return (box[2] - box[0]) * (box[3] - box[1]);
}

/* Whether the common area of two boxes is more than a part of the area of both. */
static int @overlaps(const float *a, const float *b, float part) {
  const float height = @minimum_f32(a[2], b[2]) - @maximum_f32(a[0], b[0]);
  const float width = @minimum_f32(a[3], b[3]) - @maximum_f32(a[1], b[1]);
  if (height <= 0 || width <= 0) return 0;
  const float common = height * width;
  const float first = @corner_area(a);
  const float second = @corner_area(b);
  const float both = first + second - common;
  return first > 0 && second > 0 && both > 0 && common / both > part;
}

/* Selects at most `most` boxes of each image and class; rows of image, class and box. */
static void @non_max_suppression(
    int64_t images, int64_t classes, int64_t count, int64_t most, int64_t rows, float part,
    int has_least, double least, const void *boxes, const void *all_scores, void *to, void *shape,
    void *heap) {
  int64_t *const out = to;
  int32_t *const list = heap;
  int64_t row = 0;
  for (int64_t image = 0; image < images; image++) {
    const float *const corners = (const float *)boxes + 4 * image * count;
    for (int64_t c = 0; c < classes; c++) {
      const float *const scores = (const float *)all_scores + (image * classes + c) * count;
      int64_t size = 0;
      int64_t selected = 0;
      for (int64_t i = 0; i < count; i++) {
        if (!has_least || (double)scores[i] > least) {
          size = @offer(list, size, count, i, @by_score, scores, 1);
        }
      }
      @put_in_order(list, size, @by_score, scores, 1);
      for (int64_t i = 0; i < size && selected < most; i++) {
        int stays = 1;
        for (int64_t k = 0; k < selected && stays; k++) {
          stays = !@overlaps(corners + 4 * list[i], corners + 4 * list[k], part);
        }
        if (stays) {
          list[selected++] = list[i];
          out[3 * row] = image;
          out[3 * row + 1] = c;
          out[3 * row + 2] = list[selected - 1];
          row++;
        }
      }
    }
  }
  @zero_rest(to, 24 * row, 24 * rows);
  ((int64_t *)shape)[0] = row;
  ((int64_t *)shape)[1] = 3;
}
