/* Functions after fdlibm 5.3, with this notice:
 * Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved.
 * Developed at SunSoft, a Sun Microsystems, Inc. business. Permission to use, copy, modify, and
 * distribute this software is freely granted, provided that this notice is preserved.
 */

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
