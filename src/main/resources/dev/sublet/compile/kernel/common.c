/* An integer of a tensor of int32 or int64. */
static inline int64_t @integer(const void *list, int64_t bytes, int64_t i) {
  return bytes == 8 ? ((const int64_t *)list)[i] : ((const int32_t *)list)[i];
}

static inline float @sigmoid_as_float(float x) { return (float)(1 / (1 + @exp((double)-x))); }

static void @put_extent(int64_t axis, int64_t extent, void *shape) {
  ((int64_t *)shape)[axis] = extent;
}

/* Fills an output from the end of its elements to the end of its memory. */
static void @zero_rest(void *out, int64_t used, int64_t bytes) {
  memset((unsigned char *)out + used, 0, (size_t)(bytes - used));
}
