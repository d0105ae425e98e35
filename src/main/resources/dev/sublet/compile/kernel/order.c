/* NaN is greater than all numbers, and a zero equals a negative zero. */
static inline int @less_real(double a, double b) { return a < b || (b != b && a == a); }

static inline int @less_whole(int64_t a, int64_t b) { return a < b; }

/* Whether element i comes before element j; of equal elements the first one does. */
static int @ascending_SUFFIX(const void *x, int64_t step, int64_t i, int64_t j) {
  const ELEMENT a = ((const ELEMENT *)x)[i * step];
  const ELEMENT b = ((const ELEMENT *)x)[j * step];
  return @less_KIND(a, b) || (!@less_KIND(b, a) && i < j);
}

static int @descending_SUFFIX(const void *x, int64_t step, int64_t i, int64_t j) {
  const ELEMENT a = ((const ELEMENT *)x)[i * step];
  const ELEMENT b = ((const ELEMENT *)x)[j * step];
  return @less_KIND(b, a) || (!@less_KIND(a, b) && i < j);
}

/* Moves the root of a heap down. A parent comes after its children. */
static void @sift(
    int32_t *heap, int64_t size, int (*before)(const void *, int64_t, int64_t, int64_t),
    const void *x, int64_t step) {
  const int32_t moved = heap[0];
  int64_t at = 0;
  for (int64_t child = 1; child < size; child = 2 * at + 1) {
    if (child + 1 < size && before(x, step, heap[child], heap[child + 1])) child++;
    if (!before(x, step, moved, heap[child])) break;
    heap[at] = heap[child];
    at = child;
  }
  heap[at] = moved;
}

/* Offers an element to a heap of the first k, and returns the heap's size. */
static int64_t @offer(
    int32_t *heap, int64_t size, int64_t k, int64_t i,
    int (*before)(const void *, int64_t, int64_t, int64_t), const void *x, int64_t step) {
  if (size < k) {
    int64_t at = size;
    for (; at > 0 && before(x, step, heap[(at - 1) / 2], i); at = (at - 1) / 2) {
      heap[at] = heap[(at - 1) / 2];
    }
    heap[at] = (int32_t)i;
    return size + 1;
  }
  if (k > 0 && before(x, step, i, heap[0])) {
    heap[0] = (int32_t)i;
    @sift(heap, size, before, x, step);
  }
  return size;
}

/* Orders the elements of a heap. */
static void @put_in_order(
    int32_t *heap, int64_t size, int (*before)(const void *, int64_t, int64_t, int64_t),
    const void *x, int64_t step) {
  for (int64_t last = size - 1; last > 0; last--) {
    const int32_t greatest = heap[0];
    heap[0] = heap[last];
    heap[last] = greatest;
    @sift(heap, last, before, x, step);
  }
}

/* The first k elements of each line in sorted order, and their indices. */
static void @top_SUFFIX(
    int64_t lines, int64_t inner, int64_t extent, int64_t k, int descending, const void *x,
    void *out, void *indices, void *heap) {
  int (*const before)(const void *, int64_t, int64_t, int64_t) =
      descending ? @descending_SUFFIX : @ascending_SUFFIX;
  int32_t *const first = heap;
  for (int64_t line = 0; line < lines; line++) {
    const ELEMENT *from = (const ELEMENT *)x + line / inner * extent * inner + line % inner;
    const int64_t to = line / inner * k * inner + line % inner;
    int64_t size = 0;
    for (int64_t i = 0; i < extent; i++) size = @offer(first, size, k, i, before, from, inner);
    @put_in_order(first, size, before, from, inner);
    for (int64_t i = 0; i < size; i++) {
      if (out != NULL) ((ELEMENT *)out)[to + i * inner] = from[first[i] * inner];
      if (indices != NULL) ((int64_t *)indices)[to + i * inner] = first[i];
    }
  }
}

static inline double @plus_real(double a, double b) { return a + b; }

static inline int64_t @plus_whole(int64_t a, int64_t b) {
  return (int64_t)((uint64_t)a + (uint64_t)b);
}

/* Running sums of each line; `step` is the distance of its elements, negative from the end. */
static void @cumsum_SUFFIX(
    int64_t lines, int64_t inner, int64_t extent, int exclusive, int reverse, const void *from,
    void *to) {
  const ELEMENT *const x = from;
  ELEMENT *const out = to;
  const int64_t step = reverse ? -inner : inner;
  for (int64_t line = 0; line < lines; line++) {
    int64_t at = line / inner * extent * inner + line % inner + (reverse ? (extent - 1) * inner : 0);
    for (int64_t k = 0; k < extent; k++, at += step) {
      const int64_t added = exclusive ? at - step : at;
      out[at] =
          exclusive && k == 0
              ? 0
              : (ELEMENT)@plus_KIND(k == 0 ? 0 : out[at - step], x[added]);
    }
  }
}

/* The number of elements that are not 0, as an extent. */
static void @nonzero_count_SUFFIX(int64_t length, const void *from, int64_t axis, void *shape) {
  const ELEMENT *const x = from;
  int64_t count = 0;
  for (int64_t i = 0; i < length; i++) count += x[i] != 0;
  ((int64_t *)shape)[axis] = count;
}

/* The indices along one axis of the elements that are not 0. */
static void @nonzero_axis_SUFFIX(
    int64_t length, int64_t inner, int64_t extent, int64_t axis, int64_t rank, int by_axis,
    const void *from, const void *shape, void *to) {
  const ELEMENT *const x = from;
  const int64_t count = ((const int64_t *)shape)[by_axis];
  int64_t *out = (int64_t *)to + (by_axis ? axis * count : axis);
  for (int64_t i = 0; i < length; i++) {
    if (x[i] != 0) {
      *out = i / inner % extent;
      out += by_axis ? 1 : rank;
    }
  }
  if (axis == rank - 1) @zero_rest(to, 8 * count * rank, 8 * length * rank);
}

/* The slices for which a condition is not 0. */
static void @compress_SUFFIX(
    int64_t outer, int64_t extent, int64_t bytes, int64_t conditions, int64_t axis,
    const void *from, const void *condition, void *to, void *shape) {
  const ELEMENT *const kept = condition;
  const unsigned char *x = from;
  unsigned char *out = to;
  int64_t count = 0;
  for (int64_t i = 0; i < extent && i < conditions; i++) count += kept[i] != 0;
  ((int64_t *)shape)[axis] = count;
  for (int64_t before = 0; before < outer; before++) {
    for (int64_t i = 0; i < extent; i++, x += bytes) {
      if (i < conditions && kept[i] != 0) {
        memcpy(out, x, (size_t)bytes);
        out += bytes;
      }
    }
  }
  @zero_rest(to, outer * count * bytes, outer * extent * bytes);
}
