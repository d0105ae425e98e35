/* The area of a box; 0 if its corners are not in order. */
static inline float @box_area(const float *box, float offset) {
  const float width = box[2] - box[0];
  const float height = box[3] - box[1];
  return box[2] < box[0] || box[3] < box[1] ? 0 : (width + offset) * (height + offset);
}

/* The common area of two boxes divided by the area of both. */
static float @overlap(const float *a, const float *b, float offset) {
  if (b[0] > a[2] || b[2] < a[0] || b[1] > a[3] || b[3] < a[1]) return 0;
  const float width = @minimum_f32(a[2], b[2]) - @maximum_f32(a[0], b[0]) + offset;
  const float height = @minimum_f32(a[3], b[3]) - @maximum_f32(a[1], b[1]) + offset;
  const float common = width * height;
  return common / (@box_area(a, offset) + @box_area(b, offset) - common);
}

static void @iou_similarity(
    int64_t rows, int64_t columns, float offset, const void *x, const void *y, void *out) {
  for (int64_t i = 0; i < rows; i++) {
    for (int64_t j = 0; j < columns; j++) {
      ((float *)out)[i * columns + j] =
          @overlap((const float *)x + 4 * i, (const float *)y + 4 * j, offset);
    }
  }
}

/* Number i of the factors of codes: those of a tensor in turns, or else four common ones. */
static inline float @variance(
    int64_t i, const float *list, int64_t length, float v0, float v1, float v2, float v3) {
  if (list != NULL) return list[i % length];
  return i % 4 == 0 ? v0 : i % 4 == 1 ? v1 : i % 4 == 2 ? v2 : v3;
}

static void @encode_boxes(
    int64_t rows, int64_t columns, float offset, int64_t length, float v0, float v1, float v2,
    float v3, const void *prior_boxes, const void *variances, const void *target_boxes, void *out) {
  float *code = out;
  for (int64_t i = 0; i < rows; i++) {
    for (int64_t j = 0; j < columns; j++, code += 4) {
      for (int64_t axis = 0; axis < 2; axis++) {
        const float *const prior = (const float *)prior_boxes + 4 * j + axis;
        const float *const target = (const float *)target_boxes + 4 * i + axis;
        const float extent = prior[2] - prior[0] + offset;
        const float center = prior[0] + extent / 2;
        const float target_center = (target[2] + target[0]) / 2;
        const float target_extent = target[2] - target[0] + offset;
        const float v = @variance(4 * j + axis, variances, length, v0, v1, v2, v3);
        const float w = @variance(4 * j + axis + 2, variances, length, v0, v1, v2, v3);
        code[axis] = (target_center - center) / extent / v;
        code[axis + 2] = (float)@log((double)fabsf(target_extent / extent)) / w;
      }
    }
  }
}

static void @decode_boxes(
    int64_t rows, int64_t columns, int by_column, float offset, int64_t length, float v0, float v1,
    float v2, float v3, const void *prior_boxes, const void *variances, const void *codes,
    void *out) {
  for (int64_t i = 0; i < rows * columns; i++) {
    const float *const code = (const float *)codes + 4 * i;
    float *const box = (float *)out + 4 * i;
    const int64_t first = 4 * (by_column ? i % columns : i / columns);
    for (int64_t axis = 0; axis < 2; axis++) {
      const float *const prior = (const float *)prior_boxes + first + axis;
      const float extent = prior[2] - prior[0] + offset;
      const float center = prior[0] + extent / 2;
      const float v = @variance(first + axis, variances, length, v0, v1, v2, v3);
      const float w = @variance(first + axis + 2, variances, length, v0, v1, v2, v3);
      const float box_center = v * code[axis] * extent + center;
      const float box_extent = (float)@exp((double)(w * code[axis + 2])) * extent;
      box[axis] = box_center - box_extent / 2;
      box[axis + 2] = box_center + box_extent / 2 - offset;
    }
  }
}

/* The boxes and scores of one anchor. */
static void @yolo_anchor(
    int64_t batch, int64_t height, int64_t width, int64_t classes, int64_t anchors, int64_t anchor,
    float anchor_width, float anchor_height, float least, float scale, int64_t downsample, int clips,
    const void *x, const void *sizes, int64_t bytes, void *boxes, void *scores) {
  const int64_t area = height * width;
  for (int64_t image = 0; image < batch; image++) {
    for (int64_t place = 0; place < area; place++) {
      const float *const cell =
          (const float *)x + (image * anchors + anchor) * (5 + classes) * area + place;
      const int64_t row = (image * anchors + anchor) * area + place;
      const float confidence = @sigmoid_as_float(cell[4 * area]);
      const int is_kept = confidence >= least;
      for (int64_t axis = 0; axis < 2 && boxes != NULL; axis++) {
        float *const box = (float *)boxes + 4 * row + axis;
        const float pixels = (float)@integer(sizes, bytes, 2 * image + 1 - axis);
        const int64_t extent = axis == 0 ? width : height;
        const int64_t position = axis == 0 ? place % width : place / width;
        const float center =
            ((float)position + @sigmoid_as_float(cell[axis * area]) * scale + -0.5f * (scale - 1))
            * pixels / (float)extent;
        const float size =
            (float)@exp((double)cell[(2 + axis) * area])
            * (axis == 0 ? anchor_width : anchor_height) * pixels / (float)(downsample * extent);
        box[0] = center - size / 2;
        box[2] = center + size / 2;
        if (clips) {
          box[0] = @maximum_f32(box[0], 0);
          box[2] = @minimum_f32(box[2], pixels - 1);
        }
        if (!is_kept) box[0] = box[2] = 0;
      }
      for (int64_t c = 0; c < classes && scores != NULL; c++) {
        ((float *)scores)[row * classes + c] =
            is_kept ? confidence * @sigmoid_as_float(cell[(5 + c) * area]) : 0;
      }
    }
  }
}
