/* The bits of x and y, by number: and, or, xor, not x, x << y, x >> y. */
static inline uint64_t @combined_bits(int kind, uint64_t x, uint64_t y) {
  if (kind < 4) return kind == 0 ? x & y : kind == 1 ? x | y : kind == 2 ? x ^ y : ~x;
  if (y > 63 && y <= INT64_MAX) return 0;
  return kind == 4 ? x << (y & 63) : x >> (y & 63);
}

/* The same for each element of a broadcast. */
static void @bits_SUFFIX(
    int kind, int64_t rank, const int64_t *shape, const int64_t *x_steps, const int64_t *y_steps,
    const void *x, const void *y, void *to) {
  int64_t count = 1;
  for (int64_t axis = 0; axis < rank; axis++) count *= shape[axis];
  for (int64_t i = 0; i < count; i++) {
    int64_t x_place = 0;
    int64_t y_place = 0;
    int64_t rest = i;
    for (int64_t axis = rank - 1; axis >= 0; axis--) {
      x_place += rest % shape[axis] * x_steps[axis];
      y_place += rest % shape[axis] * y_steps[axis];
      rest /= shape[axis];
    }
    ((ELEMENT *)to)[i] = (ELEMENT)@combined_bits(
        kind, (uint64_t)((const ELEMENT *)x)[x_place], (uint64_t)((const ELEMENT *)y)[y_place]);
  }
}
