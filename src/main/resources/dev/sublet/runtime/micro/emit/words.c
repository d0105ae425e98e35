static inline uint64_t @bits(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static inline double @number(uint64_t bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* The upper 32 bits, and the lower ones. */
static inline int32_t @high(double x) { return (int32_t)(@bits(x) >> 32); }
static inline uint32_t @low(double x) { return (uint32_t)@bits(x); }

static inline double @with_high(double x, int32_t high) {
  return @number((uint64_t)(uint32_t)high << 32 | @low(x));
}

static inline double @with_low_zero(double x) {
  return @number(@bits(x) & UINT64_C(0xffffffff00000000));
}

/* x times 2 to the power of k, by the exponent: no rounding, no subnormal numbers. */
static inline double @scaled(double x, int32_t k) {
  return @number(@bits(x) + ((uint64_t)(uint32_t)k << 52));
}
