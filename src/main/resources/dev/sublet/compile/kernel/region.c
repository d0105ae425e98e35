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
