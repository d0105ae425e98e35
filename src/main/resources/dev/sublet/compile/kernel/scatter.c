static void @copy_bytes(int64_t bytes, const void *x, void *out) {
  if (bytes > 0) memcpy(out, x, (size_t)bytes);
}

/* Kind 1 adds, 2 multiplies, 3 is the maximum and 4 the minimum. */
static inline double @combined_real(int kind, double old, double update) {
  return kind == 1 ? old + update
      : kind == 2  ? old * update
      : kind == 3  ? @maximum_f64(old, update)
                   : @minimum_f64(old, update);
}

static inline int64_t @combined_whole(int kind, int64_t old, int64_t update) {
  return kind == 1 ? (int64_t)((uint64_t)old + (uint64_t)update)
      : kind == 2  ? (int64_t)((uint64_t)old * (uint64_t)update)
      : kind == 3  ? (old < update ? update : old)
                   : (old < update ? old : update);
}

/* The place of an index along an axis; -1 if it is outside. */
static inline int64_t @place_along(int64_t index, int64_t extent, int wraps) {
  const int64_t place = wraps && index < 0 ? index + extent : index;
  return place < 0 || place >= extent ? -1 : place;
}

/* Combines updates with the rows of a tensor that indices denote. Kind 0 replaces rows, -1 fills
 * them with zeros; a row outside of the tensor is left out.
 */
static void @scatter_SUFFIX(
    int64_t rows, int64_t depth, int64_t width, const int64_t *extents, int wraps, int kind,
    const void *indices, int64_t bytes, const void *updates, void *out) {
  for (int64_t row = 0; row < rows; row++) {
    int64_t place = 0;
    for (int64_t axis = 0; axis < depth && place >= 0; axis++) {
      const int64_t index = @integer(indices, bytes, row * depth + axis);
      const int64_t along = @place_along(index, extents[axis], wraps);
      place = along < 0 ? -1 : place * extents[axis] + along;
    }
    for (int64_t i = 0; i < width && place >= 0; i++) {
      ELEMENT *const to = (ELEMENT *)out + place * width + i;
      const ELEMENT update = kind < 0 ? 0 : ((const ELEMENT *)updates)[row * width + i];
      *to = kind <= 0 ? update : (ELEMENT)@combined_KIND(kind, *to, update);
    }
  }
}

/* The same for single elements whose indices along one axis are given. */
static void @scatter_elements_SUFFIX(
    int64_t count, int64_t rank, int64_t axis, const int64_t *own, const int64_t *extents, int kind,
    const void *indices, int64_t bytes, const void *updates, void *out) {
  for (int64_t i = 0; i < count; i++) {
    int64_t place = 0;
    int64_t stride = 1;
    int64_t rest = i;
    for (int64_t k = rank - 1; k >= 0 && place >= 0; k--) {
      const int64_t along =
          k == axis ? @place_along(@integer(indices, bytes, i), extents[k], 1) : rest % own[k];
      place = along < 0 ? -1 : place + stride * along;
      rest /= own[k];
      stride *= extents[k];
    }
    if (place >= 0) {
      ELEMENT *const to = (ELEMENT *)out + place;
      const ELEMENT update = ((const ELEMENT *)updates)[i];
      *to = kind == 0 ? update : (ELEMENT)@combined_KIND(kind, *to, update);
    }
  }
}
