/* The bins of a region: left, top, width and height of the first, and the points along each axis of
 * one. A region with more than 2^24 points in a bin has none.
 */
static void @roi_bins(
    const float *region, int64_t height, int64_t width, int64_t ratio, float scale, int aligned,
    float *bins, int32_t *grid) {
  const float shift = aligned ? 0.5f : 0;
  for (int axis = 0; axis < 2; axis++) {
    const float first = region[axis] * scale - shift;
    const float extent = region[axis + 2] * scale - shift - first;
    bins[axis] = first;
    bins[axis + 2] =
        (aligned ? extent : @maximum_f32(extent, 1)) / (float)(axis == 0 ? width : height);
    grid[axis] = ratio > 0 ? (int32_t)ratio : @to_i32(ceil((double)bins[axis + 2]));
  }
  if ((int64_t)grid[0] * grid[1] > 1 << 24) grid[0] = grid[1] = 0;
}

/* Finds the four elements nearest to a point of a bin, and their weights. Returns 0 if the point is
 * more than one element outside the map.
 */
static int @roi_look(
    const float *bins, const int32_t *grid, int64_t rows, int64_t columns, int64_t row,
    int64_t column, int32_t point, int64_t *places, float *weights) {
  const float y =
      bins[1] + bins[3] * ((float)row + ((float)(point / grid[0]) + 0.5f) / (float)grid[1]);
  const float x =
      bins[0] + bins[2] * ((float)column + ((float)(point % grid[0]) + 0.5f) / (float)grid[0]);
  if (y < -1 || y > (float)rows || x < -1 || x > (float)columns) return 0;
  const float inner_y = @maximum_f32(@minimum_f32(y, (float)(rows - 1)), 0);
  const float inner_x = @maximum_f32(@minimum_f32(x, (float)(columns - 1)), 0);
  const int64_t upper = @minimum_i64(@to_i32((double)inner_y), rows - 1);
  const int64_t before = @minimum_i64(@to_i32((double)inner_x), columns - 1);
  const float down = inner_y - (float)upper;
  const float right = inner_x - (float)before;
  for (int k = 0; k < 4; k++) {
    const int64_t line = k < 2 || upper + 1 == rows ? upper : upper + 1;
    const int64_t place = k % 2 == 0 || before + 1 == columns ? before : before + 1;
    places[k] = line * columns + place;
    weights[k] = (k < 2 ? 1 - down : down) * (k % 2 == 0 ? 1 - right : right);
  }
  return 1;
}

/* The average of a bin's points; 0 if it has none. */
static float @roi_average(
    const float *bins, const int32_t *grid, int64_t rows, int64_t columns, int64_t row,
    int64_t column, const float *map) {
  const int32_t count = (int32_t)((int64_t)grid[0] * grid[1]);
  float sum = 0;
  for (int32_t i = 0; i < count; i++) {
    int64_t places[4];
    float weights[4];
    if (@roi_look(bins, grid, rows, columns, row, column, i, places, weights)) {
      for (int k = 0; k < 4; k++) sum += weights[k] * map[places[k]];
    }
  }
  return count == 0 ? 0 : sum / (float)count;
}

/* Pools regions into bins. `numbers` are those of the regions of each image; regions after them
 * belong to the first image.
 */
static void @roi_align(
    int64_t regions, int64_t images, int64_t channels, int64_t rows, int64_t columns,
    int64_t height, int64_t width, int64_t ratio, float scale, int aligned, const void *x,
    const void *rois, const void *numbers, int64_t counted, int64_t bytes, void *to) {
  float *out = to;
  int64_t image = -1;
  int64_t left = 0;
  for (int64_t region = 0; region < regions; region++, left--) {
    float bins[4];
    int32_t grid[2];
    while (left <= 0 && image < counted) {
      left = ++image < counted ? @integer(numbers, bytes, image) : 0;
    }
    const int64_t own = image < counted ? image : 0;
    @roi_bins((const float *)rois + 4 * region, height, width, ratio, scale, aligned, bins, grid);
    for (int64_t c = 0; c < channels; c++) {
      const float *const map = (const float *)x + (own * channels + c) * rows * columns;
      for (int64_t bin = 0; bin < height * width; bin++) {
        *out++ =
            own < images
                ? @roi_average(bins, grid, rows, columns, bin / width, bin % width, map)
                : 0;
      }
    }
  }
}

/* The corners of one of ONNX's regions; returns its image, the first of five numbers or an index. */
static int64_t @region_SUFFIX(
    const void *rois, int64_t numbers, const void *indices, int64_t bytes, int64_t region,
    float *corners) {
  const ELEMENT *const own = (const ELEMENT *)rois + (region + 1) * numbers - 4;
  for (int k = 0; k < 4; k++) corners[k] = (float)own[k];
  return numbers == 4 ? (int32_t)@integer(indices, bytes, region) : (int32_t)@to_i64((double)own[-1]);
}

/* The average of a bin's points, or the largest of their weighted neighbors; 0 without points. */
static double @roi_value_SUFFIX(
    const float *bins, const int32_t *grid, int64_t rows, int64_t columns, int64_t row,
    int64_t column, int is_maximum, const ELEMENT *map) {
  const int32_t points = grid[0] > 0 && grid[1] > 0 ? grid[0] * grid[1] : 0;
  double result = is_maximum ? -INFINITY : 0;
  for (int32_t i = 0; i < points; i++) {
    int64_t places[4];
    float weights[4];
    const int is_inside = @roi_look(bins, grid, rows, columns, row, column, i, places, weights);
    for (int k = 0; k < 4; k++) {
      const double value = is_inside ? (double)weights[k] * (double)map[places[k]] : 0;
      if (is_maximum) {
        result = @maximum_f64(result, value);
      } else if (is_inside) {
        result += value;
      }
    }
  }
  return points == 0 ? 0 : is_maximum ? result : result / points;
}

static void @onnx_roi_align_SUFFIX(
    int64_t regions, int64_t images, int64_t channels, int64_t rows, int64_t columns,
    int64_t height, int64_t width, int64_t ratio, float scale, int aligned, int is_maximum,
    const void *x, const void *rois, int64_t numbers, const void *indices, int64_t bytes, void *to) {
  ELEMENT *out = to;
  for (int64_t region = 0; region < regions; region++) {
    float corners[4];
    float bins[4];
    int32_t grid[2];
    const int64_t image = @region_SUFFIX(rois, numbers, indices, bytes, region, corners);
    @roi_bins(corners, height, width, ratio, scale, aligned, bins, grid);
    for (int64_t i = 0; i < channels * height * width; i++) {
      const int64_t map = (image * channels + i / (height * width)) * rows * columns;
      const int64_t bin = i % (height * width);
      *out++ =
          image >= 0 && image < images
              ? (ELEMENT)@roi_value_SUFFIX(
                    bins, grid, rows, columns, bin / width, bin % width, is_maximum,
                    (const ELEMENT *)x + map)
              : 0;
    }
  }
}

/* The begin and the end of a part of an interval. */
static void @pooled_span(
    float from, float to, float scale, int64_t parts, int64_t part, int32_t *span) {
  const int32_t begin = @to_i32(floor((double)(from * scale) + 0.5));
  const int32_t end = @to_i32(floor((double)(to * scale) + 0.5));
  const int32_t extent = (int32_t)((uint32_t)end - (uint32_t)begin + 1);
  const float size = (float)(extent < 1 ? 1 : extent) / (float)parts;
  const int32_t low = @to_i32(floor((double)((float)part * size)));
  const int32_t high = @to_i32(ceil((double)((float)(part + 1) * size)));
  span[0] = (int32_t)((uint32_t)begin + (uint32_t)low);
  span[1] = (int32_t)((uint32_t)begin + (uint32_t)high);
}

/* The largest element of each part of a region; 0 if it has none. */
static void @max_roi_pool_SUFFIX(
    int64_t regions, int64_t images, int64_t channels, int64_t rows, int64_t columns,
    int64_t height, int64_t width, float scale, const void *x, const void *rois, int64_t numbers,
    const void *indices, int64_t bytes, void *to) {
  ELEMENT *out = to;
  for (int64_t region = 0; region < regions; region++) {
    float corners[4];
    const int64_t image = @region_SUFFIX(rois, numbers, indices, bytes, region, corners);
    for (int64_t i = 0; i < channels * height * width; i++) {
      const int64_t map = (image * channels + i / (height * width)) * rows * columns;
      double most = -INFINITY;
      int32_t down[2];
      int32_t right[2];
      @pooled_span(corners[1], corners[3], scale, height, i / width % height, down);
      @pooled_span(corners[0], corners[2], scale, width, i % width, right);
      for (int64_t row = down[0] < 0 ? 0 : down[0]; row < down[1] && row < rows; row++) {
        for (int64_t k = right[0] < 0 ? 0 : right[0]; k < right[1] && k < columns; k++) {
          if (image >= 0 && image < images) {
            most = @maximum_f64(most, (double)((const ELEMENT *)x)[map + row * columns + k]);
          }
        }
      }
      *out++ = most == -INFINITY ? 0 : (ELEMENT)most;
    }
  }
}

static inline float @cropped_place(
    float from, float to, int64_t extent, int64_t count, int64_t index) {
  return count > 1
      ? from * (float)(extent - 1)
          + (float)index * ((to - from) * (float)(extent - 1) / (float)(count - 1))
      : 0.5f * (from + to) * (float)(extent - 1);
}

/* The element nearest to a place, or a mixture of the four around it. */
static double @between_SUFFIX(
    const ELEMENT *map, int64_t columns, float y, float x, int is_nearest) {
  if (is_nearest) {
    const int64_t row = @to_i32(floor((double)y + 0.5));
    return (double)map[row * columns + @to_i32(floor((double)x + 0.5))];
  }
  const int64_t top = @to_i32(floor((double)y));
  const int64_t left = @to_i32(floor((double)x));
  const int64_t right = @to_i32(ceil((double)x));
  const ELEMENT *const upper = map + top * columns;
  const ELEMENT *const lower = map + @to_i32(ceil((double)y)) * columns;
  const double part = (double)(x - (float)left);
  const double above =
      (double)upper[left] + ((double)upper[right] - (double)upper[left]) * part;
  const double below =
      (double)lower[left] + ((double)lower[right] - (double)lower[left]) * part;
  return above + (below - above) * (double)(y - (float)top);
}

/* Resized parts of images; their corners are parts of the images' extents. */
static void @crop_and_resize_SUFFIX(
    int64_t regions, int64_t images, int64_t channels, int64_t rows, int64_t columns,
    int64_t height, int64_t width, int is_nearest, double outside, const void *x, const void *rois,
    int64_t numbers, const void *indices, int64_t bytes, void *to) {
  ELEMENT *out = to;
  for (int64_t region = 0; region < regions; region++) {
    float corners[4];
    const int64_t image = @region_SUFFIX(rois, numbers, indices, bytes, region, corners);
    for (int64_t i = 0; i < channels * height * width; i++) {
      const int64_t map = (image * channels + i / (height * width)) * rows * columns;
      const float down =
          @cropped_place(corners[0], corners[2], rows, height, i / width % height);
      const float right = @cropped_place(corners[1], corners[3], columns, width, i % width);
      if (image < 0 || image >= images) {
        *out++ = 0;
      } else if (
          down >= 0 && down <= (float)(rows - 1) && right >= 0 && right <= (float)(columns - 1)) {
        *out++ = (ELEMENT)@between_SUFFIX(
            (const ELEMENT *)x + map, columns, down, right, is_nearest);
      } else {
        *out++ = (ELEMENT)outside;
      }
    }
  }
}
