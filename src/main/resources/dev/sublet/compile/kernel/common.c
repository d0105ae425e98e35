/* An integer of a tensor of int32 or int64. */
static inline int64_t @integer(const void *list, int64_t bytes, int64_t i) {
  return bytes == 8 ? ((const int64_t *)list)[i] : ((const int32_t *)list)[i];
}
