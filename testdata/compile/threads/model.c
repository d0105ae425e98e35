#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "model.h"

extern const float model_w0[12288];

/* Functions after fdlibm 5.3, with this notice:
 * Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved.
 * Developed at SunSoft, a Sun Microsystems, Inc. business. Permission to use, copy, modify, and
 * distribute this software is freely granted, provided that this notice is preserved.
 */

static inline uint64_t model_bits(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static inline double model_number(uint64_t bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static inline int32_t model_high(double x) { return (int32_t)(model_bits(x) >> 32); }

/* x times 2 to the power of k, by the exponent: no rounding, no subnormal numbers. */
static inline double model_scaled(double x, int32_t k) {
  return model_number(model_bits(x) + ((uint64_t)(uint32_t)k << 52));
}

/* fdlibm, e_exp.c */
static double model_exp(double x) {
  const uint32_t high = (uint32_t)model_high(x);
  const int negative = (int)(high >> 31);
  const uint32_t size = high & 0x7fffffff;
  double rest = x;
  double hi = 0;
  double lo = 0;
  int32_t k = 0;
  if (size >= 0x40862E42) {
    if (size >= 0x7ff00000) return x != x ? x : negative ? 0 : x;
    if (x > 7.09782712893383973096e+02) return INFINITY;
    if (x < -7.45133219101941108420e+02) return 0;
  }
  if (size > 0x3fd62e42) {
    if (size < 0x3FF0A2B2) {
      k = 1 - negative - negative;
      hi = x - (negative ? -6.93147180369123816490e-01 : 6.93147180369123816490e-01);
      lo = negative ? -1.90821492927058770002e-10 : 1.90821492927058770002e-10;
    } else {
      k = (int32_t)(1.44269504088896338700e+00 * x + (negative ? -0.5 : 0.5));
      hi = x - k * 6.93147180369123816490e-01;
      lo = k * 1.90821492927058770002e-10;
    }
    rest = hi - lo;
  } else if (size < 0x3e300000) {
    return 1.0 + x;
  }
  const double t = rest * rest;
  const double c =
      rest
      - t
            * (1.66666666666666019037e-01
               + t
                     * (-2.77777777770155933842e-03
                        + t
                              * (6.61375632143793436117e-05
                                 + t
                                       * (-1.65339022054652515390e-06
                                          + t * 4.13813679705723846039e-08))));
  if (k == 0) return 1.0 - ((rest * c) / (c - 2.0) - rest);
  const double y = 1.0 - ((lo - (rest * c) / (2.0 - c)) - hi);
  if (k >= -1021) {
    return k == 1024 ? y * 2.0 * 0x1p1023 : model_scaled(y, k);
  }
  return model_scaled(y, k + 1000) * 9.33263618503218878990e-302;
}

static inline size_t model_round_bytes(size_t bytes) { return (bytes + 15) / 16 * 16; }

static inline float model_maximum_f32(float a, float b) {
  return a != a || a > b || (a == b && !signbit(a)) ? a : b;
}

/* The floats of a vector register. */
#if defined(__GNUC__) && defined(__AVX512F__)
#define model_VECTOR 16
#elif defined(__GNUC__) && defined(__AVX__)
#define model_VECTOR 8
#elif defined(__GNUC__) && (defined(__SSE2__) || defined(__aarch64__) || defined(__riscv_vector))
#define model_VECTOR 4
#else
#define model_VECTOR 1
#endif
#if model_VECTOR > 1
typedef float model_vector __attribute__((vector_size(4 * model_VECTOR)));
typedef float model_loose __attribute__((vector_size(4 * model_VECTOR), aligned(4), may_alias));
#else
typedef float model_vector;
typedef float model_loose;
#endif
/* gcc that looks into the function warns of lanes that vector code loads and does not use. */
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 8 && model_VECTOR == 16
#define model_APART __attribute__((noipa))
#elif defined(__GNUC__)
#define model_APART __attribute__((noinline))
#else
#define model_APART
#endif
/* The rows and lanes of a tile of sums. */
#if model_VECTOR == 16
#define model_ROWS 8
#define model_WIDE 32
#else
#define model_ROWS 4
#define model_WIDE 16
#endif

/* model_FOUR and model_ONE: the vectors of 4 rows and of 1 row whose sums fit into registers. */
#if model_VECTOR == 16
static inline void model_products8x2(
    const float *panel,
    int64_t panel_step,
    const float *w,
    int64_t row_step,
    int64_t point_step,
    int64_t points,
    float *sums) {
  model_vector s0 = {0};
  model_vector s1 = {0};
  model_vector s2 = {0};
  model_vector s3 = {0};
  model_vector s4 = {0};
  model_vector s5 = {0};
  model_vector s6 = {0};
  model_vector s7 = {0};
  model_vector s8 = {0};
  model_vector s9 = {0};
  model_vector s10 = {0};
  model_vector s11 = {0};
  model_vector s12 = {0};
  model_vector s13 = {0};
  model_vector s14 = {0};
  model_vector s15 = {0};
  for (int64_t k = 0; k < points; k++) {
    const float *const x = panel + k * panel_step;
    const float *const f = w + k * point_step;
    const model_vector x0 = *(const model_loose *)(x + 0 * model_VECTOR);
    const model_vector x1 = *(const model_loose *)(x + 1 * model_VECTOR);
    const float w0 = f[0 * row_step];
    s0 += x0 * w0;
    s1 += x1 * w0;
    const float w1 = f[1 * row_step];
    s2 += x0 * w1;
    s3 += x1 * w1;
    const float w2 = f[2 * row_step];
    s4 += x0 * w2;
    s5 += x1 * w2;
    const float w3 = f[3 * row_step];
    s6 += x0 * w3;
    s7 += x1 * w3;
    const float w4 = f[4 * row_step];
    s8 += x0 * w4;
    s9 += x1 * w4;
    const float w5 = f[5 * row_step];
    s10 += x0 * w5;
    s11 += x1 * w5;
    const float w6 = f[6 * row_step];
    s12 += x0 * w6;
    s13 += x1 * w6;
    const float w7 = f[7 * row_step];
    s14 += x0 * w7;
    s15 += x1 * w7;
  }
  *(model_loose *)(sums + 0 * model_WIDE + 0 * model_VECTOR) = s0;
  *(model_loose *)(sums + 0 * model_WIDE + 1 * model_VECTOR) = s1;
  *(model_loose *)(sums + 1 * model_WIDE + 0 * model_VECTOR) = s2;
  *(model_loose *)(sums + 1 * model_WIDE + 1 * model_VECTOR) = s3;
  *(model_loose *)(sums + 2 * model_WIDE + 0 * model_VECTOR) = s4;
  *(model_loose *)(sums + 2 * model_WIDE + 1 * model_VECTOR) = s5;
  *(model_loose *)(sums + 3 * model_WIDE + 0 * model_VECTOR) = s6;
  *(model_loose *)(sums + 3 * model_WIDE + 1 * model_VECTOR) = s7;
  *(model_loose *)(sums + 4 * model_WIDE + 0 * model_VECTOR) = s8;
  *(model_loose *)(sums + 4 * model_WIDE + 1 * model_VECTOR) = s9;
  *(model_loose *)(sums + 5 * model_WIDE + 0 * model_VECTOR) = s10;
  *(model_loose *)(sums + 5 * model_WIDE + 1 * model_VECTOR) = s11;
  *(model_loose *)(sums + 6 * model_WIDE + 0 * model_VECTOR) = s12;
  *(model_loose *)(sums + 6 * model_WIDE + 1 * model_VECTOR) = s13;
  *(model_loose *)(sums + 7 * model_WIDE + 0 * model_VECTOR) = s14;
  *(model_loose *)(sums + 7 * model_WIDE + 1 * model_VECTOR) = s15;
}
static inline void model_products8x1(
    const float *panel,
    int64_t panel_step,
    const float *w,
    int64_t row_step,
    int64_t point_step,
    int64_t points,
    float *sums) {
  model_vector s0 = {0};
  model_vector s1 = {0};
  model_vector s2 = {0};
  model_vector s3 = {0};
  model_vector s4 = {0};
  model_vector s5 = {0};
  model_vector s6 = {0};
  model_vector s7 = {0};
  for (int64_t k = 0; k < points; k++) {
    const float *const x = panel + k * panel_step;
    const float *const f = w + k * point_step;
    const model_vector x0 = *(const model_loose *)(x + 0 * model_VECTOR);
    const float w0 = f[0 * row_step];
    s0 += x0 * w0;
    const float w1 = f[1 * row_step];
    s1 += x0 * w1;
    const float w2 = f[2 * row_step];
    s2 += x0 * w2;
    const float w3 = f[3 * row_step];
    s3 += x0 * w3;
    const float w4 = f[4 * row_step];
    s4 += x0 * w4;
    const float w5 = f[5 * row_step];
    s5 += x0 * w5;
    const float w6 = f[6 * row_step];
    s6 += x0 * w6;
    const float w7 = f[7 * row_step];
    s7 += x0 * w7;
  }
  *(model_loose *)(sums + 0 * model_WIDE + 0 * model_VECTOR) = s0;
  *(model_loose *)(sums + 1 * model_WIDE + 0 * model_VECTOR) = s1;
  *(model_loose *)(sums + 2 * model_WIDE + 0 * model_VECTOR) = s2;
  *(model_loose *)(sums + 3 * model_WIDE + 0 * model_VECTOR) = s3;
  *(model_loose *)(sums + 4 * model_WIDE + 0 * model_VECTOR) = s4;
  *(model_loose *)(sums + 5 * model_WIDE + 0 * model_VECTOR) = s5;
  *(model_loose *)(sums + 6 * model_WIDE + 0 * model_VECTOR) = s6;
  *(model_loose *)(sums + 7 * model_WIDE + 0 * model_VECTOR) = s7;
}
#define model_FOUR 1
static inline void model_products4(
    const float *panel,
    int64_t panel_step,
    const float *w,
    int64_t row_step,
    int64_t point_step,
    int64_t points,
    float *sums) {
  model_vector s0 = {0};
  model_vector s1 = {0};
  model_vector s2 = {0};
  model_vector s3 = {0};
  for (int64_t k = 0; k < points; k++) {
    const float *const x = panel + k * panel_step;
    const float *const f = w + k * point_step;
    const model_vector x0 = *(const model_loose *)(x + 0 * model_VECTOR);
    const float w0 = f[0 * row_step];
    s0 += x0 * w0;
    const float w1 = f[1 * row_step];
    s1 += x0 * w1;
    const float w2 = f[2 * row_step];
    s2 += x0 * w2;
    const float w3 = f[3 * row_step];
    s3 += x0 * w3;
  }
  *(model_loose *)(sums + 0 * model_WIDE + 0 * model_VECTOR) = s0;
  *(model_loose *)(sums + 1 * model_WIDE + 0 * model_VECTOR) = s1;
  *(model_loose *)(sums + 2 * model_WIDE + 0 * model_VECTOR) = s2;
  *(model_loose *)(sums + 3 * model_WIDE + 0 * model_VECTOR) = s3;
}
#define model_ONE 1
static inline void model_products1(
    const float *panel,
    int64_t panel_step,
    const float *w,
    int64_t row_step,
    int64_t point_step,
    int64_t points,
    float *sums) {
  (void)row_step;
  model_vector s0 = {0};
  for (int64_t k = 0; k < points; k++) {
    const float *const x = panel + k * panel_step;
    const float *const f = w + k * point_step;
    const model_vector x0 = *(const model_loose *)(x + 0 * model_VECTOR);
    const float w0 = f[0 * row_step];
    s0 += x0 * w0;
  }
  *(model_loose *)(sums + 0 * model_WIDE + 0 * model_VECTOR) = s0;
}
#elif model_VECTOR == 8
#define model_FOUR 2
static inline void model_products4(
    const float *panel,
    int64_t panel_step,
    const float *w,
    int64_t row_step,
    int64_t point_step,
    int64_t points,
    float *sums) {
  model_vector s0 = {0};
  model_vector s1 = {0};
  model_vector s2 = {0};
  model_vector s3 = {0};
  model_vector s4 = {0};
  model_vector s5 = {0};
  model_vector s6 = {0};
  model_vector s7 = {0};
  for (int64_t k = 0; k < points; k++) {
    const float *const x = panel + k * panel_step;
    const float *const f = w + k * point_step;
    const model_vector x0 = *(const model_loose *)(x + 0 * model_VECTOR);
    const model_vector x1 = *(const model_loose *)(x + 1 * model_VECTOR);
    const float w0 = f[0 * row_step];
    s0 += x0 * w0;
    s1 += x1 * w0;
    const float w1 = f[1 * row_step];
    s2 += x0 * w1;
    s3 += x1 * w1;
    const float w2 = f[2 * row_step];
    s4 += x0 * w2;
    s5 += x1 * w2;
    const float w3 = f[3 * row_step];
    s6 += x0 * w3;
    s7 += x1 * w3;
  }
  *(model_loose *)(sums + 0 * model_WIDE + 0 * model_VECTOR) = s0;
  *(model_loose *)(sums + 0 * model_WIDE + 1 * model_VECTOR) = s1;
  *(model_loose *)(sums + 1 * model_WIDE + 0 * model_VECTOR) = s2;
  *(model_loose *)(sums + 1 * model_WIDE + 1 * model_VECTOR) = s3;
  *(model_loose *)(sums + 2 * model_WIDE + 0 * model_VECTOR) = s4;
  *(model_loose *)(sums + 2 * model_WIDE + 1 * model_VECTOR) = s5;
  *(model_loose *)(sums + 3 * model_WIDE + 0 * model_VECTOR) = s6;
  *(model_loose *)(sums + 3 * model_WIDE + 1 * model_VECTOR) = s7;
}
#define model_ONE 2
static inline void model_products1(
    const float *panel,
    int64_t panel_step,
    const float *w,
    int64_t row_step,
    int64_t point_step,
    int64_t points,
    float *sums) {
  (void)row_step;
  model_vector s0 = {0};
  model_vector s1 = {0};
  for (int64_t k = 0; k < points; k++) {
    const float *const x = panel + k * panel_step;
    const float *const f = w + k * point_step;
    const model_vector x0 = *(const model_loose *)(x + 0 * model_VECTOR);
    const model_vector x1 = *(const model_loose *)(x + 1 * model_VECTOR);
    const float w0 = f[0 * row_step];
    s0 += x0 * w0;
    s1 += x1 * w0;
  }
  *(model_loose *)(sums + 0 * model_WIDE + 0 * model_VECTOR) = s0;
  *(model_loose *)(sums + 0 * model_WIDE + 1 * model_VECTOR) = s1;
}
#elif model_VECTOR == 4 && defined(__SSE2__)
#define model_FOUR 2
static inline void model_products4(
    const float *panel,
    int64_t panel_step,
    const float *w,
    int64_t row_step,
    int64_t point_step,
    int64_t points,
    float *sums) {
  model_vector s0 = {0};
  model_vector s1 = {0};
  model_vector s2 = {0};
  model_vector s3 = {0};
  model_vector s4 = {0};
  model_vector s5 = {0};
  model_vector s6 = {0};
  model_vector s7 = {0};
  for (int64_t k = 0; k < points; k++) {
    const float *const x = panel + k * panel_step;
    const float *const f = w + k * point_step;
    const model_vector x0 = *(const model_loose *)(x + 0 * model_VECTOR);
    const model_vector x1 = *(const model_loose *)(x + 1 * model_VECTOR);
    const float w0 = f[0 * row_step];
    s0 += x0 * w0;
    s1 += x1 * w0;
    const float w1 = f[1 * row_step];
    s2 += x0 * w1;
    s3 += x1 * w1;
    const float w2 = f[2 * row_step];
    s4 += x0 * w2;
    s5 += x1 * w2;
    const float w3 = f[3 * row_step];
    s6 += x0 * w3;
    s7 += x1 * w3;
  }
  *(model_loose *)(sums + 0 * model_WIDE + 0 * model_VECTOR) = s0;
  *(model_loose *)(sums + 0 * model_WIDE + 1 * model_VECTOR) = s1;
  *(model_loose *)(sums + 1 * model_WIDE + 0 * model_VECTOR) = s2;
  *(model_loose *)(sums + 1 * model_WIDE + 1 * model_VECTOR) = s3;
  *(model_loose *)(sums + 2 * model_WIDE + 0 * model_VECTOR) = s4;
  *(model_loose *)(sums + 2 * model_WIDE + 1 * model_VECTOR) = s5;
  *(model_loose *)(sums + 3 * model_WIDE + 0 * model_VECTOR) = s6;
  *(model_loose *)(sums + 3 * model_WIDE + 1 * model_VECTOR) = s7;
}
#define model_ONE 4
static inline void model_products1(
    const float *panel,
    int64_t panel_step,
    const float *w,
    int64_t row_step,
    int64_t point_step,
    int64_t points,
    float *sums) {
  (void)row_step;
  model_vector s0 = {0};
  model_vector s1 = {0};
  model_vector s2 = {0};
  model_vector s3 = {0};
  for (int64_t k = 0; k < points; k++) {
    const float *const x = panel + k * panel_step;
    const float *const f = w + k * point_step;
    const model_vector x0 = *(const model_loose *)(x + 0 * model_VECTOR);
    const model_vector x1 = *(const model_loose *)(x + 1 * model_VECTOR);
    const model_vector x2 = *(const model_loose *)(x + 2 * model_VECTOR);
    const model_vector x3 = *(const model_loose *)(x + 3 * model_VECTOR);
    const float w0 = f[0 * row_step];
    s0 += x0 * w0;
    s1 += x1 * w0;
    s2 += x2 * w0;
    s3 += x3 * w0;
  }
  *(model_loose *)(sums + 0 * model_WIDE + 0 * model_VECTOR) = s0;
  *(model_loose *)(sums + 0 * model_WIDE + 1 * model_VECTOR) = s1;
  *(model_loose *)(sums + 0 * model_WIDE + 2 * model_VECTOR) = s2;
  *(model_loose *)(sums + 0 * model_WIDE + 3 * model_VECTOR) = s3;
}
#else
#define model_FOUR 4
static inline void model_products4(
    const float *panel,
    int64_t panel_step,
    const float *w,
    int64_t row_step,
    int64_t point_step,
    int64_t points,
    float *sums) {
  model_vector s0 = {0};
  model_vector s1 = {0};
  model_vector s2 = {0};
  model_vector s3 = {0};
  model_vector s4 = {0};
  model_vector s5 = {0};
  model_vector s6 = {0};
  model_vector s7 = {0};
  model_vector s8 = {0};
  model_vector s9 = {0};
  model_vector s10 = {0};
  model_vector s11 = {0};
  model_vector s12 = {0};
  model_vector s13 = {0};
  model_vector s14 = {0};
  model_vector s15 = {0};
  for (int64_t k = 0; k < points; k++) {
    const float *const x = panel + k * panel_step;
    const float *const f = w + k * point_step;
    const model_vector x0 = *(const model_loose *)(x + 0 * model_VECTOR);
    const model_vector x1 = *(const model_loose *)(x + 1 * model_VECTOR);
    const model_vector x2 = *(const model_loose *)(x + 2 * model_VECTOR);
    const model_vector x3 = *(const model_loose *)(x + 3 * model_VECTOR);
    const float w0 = f[0 * row_step];
    s0 += x0 * w0;
    s1 += x1 * w0;
    s2 += x2 * w0;
    s3 += x3 * w0;
    const float w1 = f[1 * row_step];
    s4 += x0 * w1;
    s5 += x1 * w1;
    s6 += x2 * w1;
    s7 += x3 * w1;
    const float w2 = f[2 * row_step];
    s8 += x0 * w2;
    s9 += x1 * w2;
    s10 += x2 * w2;
    s11 += x3 * w2;
    const float w3 = f[3 * row_step];
    s12 += x0 * w3;
    s13 += x1 * w3;
    s14 += x2 * w3;
    s15 += x3 * w3;
  }
  *(model_loose *)(sums + 0 * model_WIDE + 0 * model_VECTOR) = s0;
  *(model_loose *)(sums + 0 * model_WIDE + 1 * model_VECTOR) = s1;
  *(model_loose *)(sums + 0 * model_WIDE + 2 * model_VECTOR) = s2;
  *(model_loose *)(sums + 0 * model_WIDE + 3 * model_VECTOR) = s3;
  *(model_loose *)(sums + 1 * model_WIDE + 0 * model_VECTOR) = s4;
  *(model_loose *)(sums + 1 * model_WIDE + 1 * model_VECTOR) = s5;
  *(model_loose *)(sums + 1 * model_WIDE + 2 * model_VECTOR) = s6;
  *(model_loose *)(sums + 1 * model_WIDE + 3 * model_VECTOR) = s7;
  *(model_loose *)(sums + 2 * model_WIDE + 0 * model_VECTOR) = s8;
  *(model_loose *)(sums + 2 * model_WIDE + 1 * model_VECTOR) = s9;
  *(model_loose *)(sums + 2 * model_WIDE + 2 * model_VECTOR) = s10;
  *(model_loose *)(sums + 2 * model_WIDE + 3 * model_VECTOR) = s11;
  *(model_loose *)(sums + 3 * model_WIDE + 0 * model_VECTOR) = s12;
  *(model_loose *)(sums + 3 * model_WIDE + 1 * model_VECTOR) = s13;
  *(model_loose *)(sums + 3 * model_WIDE + 2 * model_VECTOR) = s14;
  *(model_loose *)(sums + 3 * model_WIDE + 3 * model_VECTOR) = s15;
}
#define model_ONE 4
static inline void model_products1(
    const float *panel,
    int64_t panel_step,
    const float *w,
    int64_t row_step,
    int64_t point_step,
    int64_t points,
    float *sums) {
  (void)row_step;
  model_vector s0 = {0};
  model_vector s1 = {0};
  model_vector s2 = {0};
  model_vector s3 = {0};
  for (int64_t k = 0; k < points; k++) {
    const float *const x = panel + k * panel_step;
    const float *const f = w + k * point_step;
    const model_vector x0 = *(const model_loose *)(x + 0 * model_VECTOR);
    const model_vector x1 = *(const model_loose *)(x + 1 * model_VECTOR);
    const model_vector x2 = *(const model_loose *)(x + 2 * model_VECTOR);
    const model_vector x3 = *(const model_loose *)(x + 3 * model_VECTOR);
    const float w0 = f[0 * row_step];
    s0 += x0 * w0;
    s1 += x1 * w0;
    s2 += x2 * w0;
    s3 += x3 * w0;
  }
  *(model_loose *)(sums + 0 * model_WIDE + 0 * model_VECTOR) = s0;
  *(model_loose *)(sums + 0 * model_WIDE + 1 * model_VECTOR) = s1;
  *(model_loose *)(sums + 0 * model_WIDE + 2 * model_VECTOR) = s2;
  *(model_loose *)(sums + 0 * model_WIDE + 3 * model_VECTOR) = s3;
}
#endif
model_APART
static void model_products(
    const float *panel,
    int64_t panel_step,
    const float *w,
    int64_t row_step,
    int64_t point_step,
    int64_t points,
    int64_t rows,
    int64_t lanes,
    float *sums) {
  int64_t row = 0;
#if model_ROWS == 8
  if (rows == 8 && lanes > 16) {
    model_products8x2(panel, panel_step, w, row_step, point_step, points, sums);
    return;
  }
  if (rows == 8) {
    model_products8x1(panel, panel_step, w, row_step, point_step, points, sums);
    return;
  }
#endif
  for (; rows - row >= 4; row += 4) {
    for (int64_t lane = 0; lane < lanes; lane += model_FOUR * model_VECTOR) {
      model_products4(
          panel + lane,
          panel_step,
          w + row * row_step,
          row_step,
          point_step,
          points,
          sums + row * model_WIDE + lane);
    }
  }
  for (; row < rows; row++) {
    for (int64_t lane = 0; lane < lanes; lane += model_ONE * model_VECTOR) {
      model_products1(
          panel + lane,
          panel_step,
          w + row * row_step,
          row_step,
          point_step,
          points,
          sums + row * model_WIDE + lane);
    }
  }
}

/* The arguments of a function whose parts may run at the same time. */
struct model_call {
  const void *in[2];
  void *out[2];
};

static void model_split(
    const struct model_threads *threads,
    void (*task)(const void *call, int32_t part),
    const struct model_call *call,
    int32_t parts) {
  if (threads != NULL) {
    threads->run(threads->context, task, call, parts);
    return;
  }
  for (int32_t part = 0; part < parts; part++) task(call, part);
}

static void model_k0_softmax(
    float *restrict Out_0,
    void *restrict workspace,
    int64_t part) {
  unsigned char *bytes = workspace;
  float *const t1 = (float *)(void *)bytes;
  bytes += model_round_bytes(sizeof(float) * (size_t)(128 * 1));
  float *const t6 = (float *)(void *)bytes;
  bytes += model_round_bytes(sizeof(float) * (size_t)(128 * 96));
  float *const t7 = (float *)(void *)bytes;
  /* t1 */
  for (int64_t i0 = 128 * part / 2; i0 < 128 * (part + 1) / 2; i0++) {
    float c0 = -INFINITY;
    for (int64_t i1 = 0; i1 < 96; i1++) {
      c0 = model_maximum_f32(c0, Out_0[i0 * 96 + i1]);
    }
    t1[i0] = c0;
  }
  /* t7 */
  for (int64_t i0 = 128 * part / 2; i0 < 128 * (part + 1) / 2; i0++) {
    float c0 = 0;
    for (int64_t i1 = 0; i1 < 96; i1++) {
      t6[i0 * 96 + i1] = (float)model_exp((double)model_maximum_f32((Out_0[i0 * 96 + i1] - t1[i0]), (-64.0f)));
      c0 += t6[i0 * 96 + i1];
    }
    t7[i0] = c0;
  }
  /* Out_0 */
  for (int64_t i0 = 128 * part / 2; i0 < 128 * (part + 1) / 2; i0++) {
    for (int64_t i1 = 0; i1 < 96; i1++) {
      Out_0[i0 * 96 + i1] = t6[i0 * 96 + i1] / t7[i0];
    }
  }
}

static void model_k0_softmax_part(const void *call, int32_t part) {
  const struct model_call *const c = call;
  model_k0_softmax(c->out[0], c->out[1], part);
}

static void model_k1_matmul_v2(
    const float *restrict X_0,
    const float *restrict Y_0,
    float *restrict Out_0,
    int64_t part) {
  /* Out_0 */
  {
  const int64_t strip_end = part == 1 ? 128 : 128 / model_WIDE * (part + 1) / 2 * model_WIDE;
  for (int64_t strip = 128 / model_WIDE * part / 2 * model_WIDE; strip < strip_end; strip += model_WIDE) {
    const int64_t lanes = 128 - strip > 16 ? model_WIDE : 16;
    const int64_t last = 128 - lanes;
    const int64_t first = strip < last ? strip : last;
    const float *const panel = Y_0 + 0 + first;
    const float *const factors = X_0 + 0;
    for (int64_t row = 0; row < 128; row += model_ROWS) {
      const int64_t rows = 128 - row < model_ROWS ? 128 - row : model_ROWS;
      float sums[model_ROWS * model_WIDE];
      model_products(panel, 128, factors + row * 96, 96, 1, 96, rows, lanes, sums);
      for (int64_t r = 0; r < rows; r++) {
        const int64_t i0 = (row + r);
        (void)i0;
        const float *const sum = sums + r * model_WIDE;
        for (int64_t lane = 0; lane < lanes; lane++) {
          const int64_t i1 = first + lane;
          (void)i1;
          const float c0 = sum[lane];
          Out_0[i0 * 128 + i1] = c0;
        }
      }
    }
  }
  }
}

static void model_k1_matmul_v2_part(const void *call, int32_t part) {
  const struct model_call *const c = call;
  model_k1_matmul_v2(c->in[0], c->in[1], c->out[0], part);
}

static void model_k2_reduce_max(
    const float *restrict X_0,
    float *restrict Out_0_2) {
  /* Out_0 */
  for (int64_t i0 = 0; i0 < 128; i0++) {
    float c0 = -INFINITY;
    for (int64_t i1 = 0; i1 < 128; i1++) {
      c0 = model_maximum_f32(c0, X_0[i0 * 128 + i1]);
    }
    Out_0_2[i0] = model_maximum_f32(c0, 0.0f);
  }
}

int model_run_threads(
    void *arena,
    const struct model_inputs *inputs,
    const struct model_outputs *outputs,
    const struct model_threads *threads) {
  (void)threads;
  unsigned char *const a = arena;
  if (a == NULL || (uintptr_t)a % 64 != 0) return 1;
  if (inputs->x == NULL) return 2;
  (void)inputs;
  (void)outputs;
#ifdef MODEL_CHECK
  memset(a + 0, 0xff, 65536);
#endif
  if ((const void *)inputs->x != (const void *)(a + 65536)) memcpy(a + 65536, inputs->x, 49152);

  /* op 1: softmax -> s */
  {
    const struct model_call call = {{NULL}, {(void *)(a + 65536), a + 0}};
    model_split(threads, model_k0_softmax_part, &call, 2);
  }
#ifdef MODEL_CHECK
  memset(a + 0, 0xff, 50176);
#endif

  /* op 2: matmul_v2 -> y */
  {
    const struct model_call call = {{(const void *)(a + 65536), (const void *)(model_w0)}, {(void *)(a + 0)}};
    model_split(threads, model_k1_matmul_v2_part, &call, 2);
  }
#ifdef MODEL_CHECK
  memset(a + 65536, 0xff, 49152);
#endif

  /* op 3: reduce_max + relu -> r */
  model_k2_reduce_max((const void *)(a + 0), (void *)(a + 65536));
#ifdef MODEL_CHECK
  memset(a + 0, 0xff, 65536);
#endif
  if (outputs->r != NULL) memcpy(outputs->r, a + 65536, 512);
  return 0;
}

int model_run(
    void *arena,
    const struct model_inputs *inputs,
    const struct model_outputs *outputs) {
  return model_run_threads(arena, inputs, outputs, NULL);
}
