/* Start, stride and extent of an axis that a slice selects whole. */
static void @whole_range(int64_t axis, int64_t extent, void *ranges) {
  int64_t *const range = (int64_t *)ranges + 3 * axis;
  range[0] = 0;
  range[1] = 1;
  range[2] = extent;
}

/* The same for a slice with limits. Negative ones count from the end, but an end of -1 is before the
 * first element if the slice runs backwards.
 */
static void @slice_range(
    int64_t axis, int64_t extent, const void *starts, int64_t start_bytes, const void *ends,
    int64_t end_bytes, const void *strides, int64_t stride_bytes, void *ranges) {
  int64_t *const range = (int64_t *)ranges + 3 * axis;
  const int64_t start = @integer(starts, start_bytes, 0);
  const int64_t end = @integer(ends, end_bytes, 0);
  const int64_t stride = @integer(strides, stride_bytes, 0);
  int64_t first = start < 0 ? start + extent : start;
  uint64_t distance = 0;
  if (first < 0) first = 0;
  if (stride > 0) {
    const int64_t after = end < 0 ? end + extent : end > extent ? extent : end;
    if (after > first) distance = (uint64_t)(after - first);
  } else {
    if (first > extent - 1) first = extent - 1;
    const int64_t before = end >= -1 ? end : end + extent > -1 ? end + extent : -1;
    if (stride < 0 && before < first) distance = (uint64_t)(first - before);
  }
  const uint64_t step = stride > 0 ? (uint64_t)stride : 0 - (uint64_t)stride;
  range[0] = first;
  range[1] = stride;
  range[2] = distance == 0 ? 0 : (int64_t)((distance - 1) / step + 1);
}

static inline double @number_real(int64_t bits) {
  double number;
  memcpy(&number, &bits, sizeof number);
  return number;
}

static inline int64_t @number_whole(int64_t bits) { return bits; }

/* Numbers of a list of integers or of the bits of doubles. */
static void @put_numbers_SUFFIX(int64_t count, const int64_t *bits, void *to) {
  for (int64_t i = 0; i < count; i++) ((ELEMENT *)to)[i] = (ELEMENT)@number_KIND(bits[i]);
}

/* Replaces the elements of a slice by a value, which has an extent of its own along each axis: 1 if
 * it repeats, -1 if the slice must have a single element. A value that does not fit is ignored.
 */
static void @set_slice_SUFFIX(
    int64_t rank, const int64_t *extents, const int64_t *own, const void *ranges,
    const void *value, void *to) {
  const int64_t *const range = ranges;
  const int64_t last = rank - 1;
  int64_t lines = 1;
  for (int64_t axis = 0; axis < rank; axis++) {
    const int64_t extent = range[3 * axis + 2];
    if (own[axis] < 0 ? extent != 1 : own[axis] != 1 && own[axis] != extent) return;
    if (axis < last) lines *= extent;
  }
  for (int64_t line = 0; line < lines; line++) {
    int64_t place = range[3 * last];
    int64_t stride = extents[last];
    int64_t from = 0;
    int64_t step = own[last] > 1 ? own[last] : 1;
    int64_t rest = line;
    for (int64_t axis = last - 1; axis >= 0; axis--) {
      const int64_t k = rest % range[3 * axis + 2];
      rest /= range[3 * axis + 2];
      place += (range[3 * axis] + k * range[3 * axis + 1]) * stride;
      stride *= extents[axis];
      if (own[axis] > 1) {
        from += k * step;
        step *= own[axis];
      }
    }
    for (int64_t k = 0; k < range[3 * last + 2]; k++) {
      ((ELEMENT *)to)[place + k * range[3 * last + 1]] =
          ((const ELEMENT *)value)[own[last] > 1 ? from + k : from];
    }
  }
}
