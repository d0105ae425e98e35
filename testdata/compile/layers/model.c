#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "model.h"

extern const float model_w0[54];
extern const float model_w1[3];
extern const float model_w2[3];
extern const float model_w3[108];
extern const float model_w4[4];

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

static inline int model_inside(int64_t i, int64_t extent) { return i >= 0 && i < extent; }

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

static void model_planes(
    const float *const lanes[4],
    const int32_t *offsets,
    const float *w,
    int64_t w_step,
    int64_t points,
    int64_t vectors,
    int64_t width,
    float *sums) {
#if model_VECTOR > 1
  (void)vectors;
  for (int64_t lane = 0; lane < width; lane += model_VECTOR) {
    const float *const p = lanes[0] + lane;
    const float *const q = lanes[1] + lane;
    const float *const r = lanes[2] + lane;
    const float *const s = lanes[3] + lane;
    model_vector a = {0};
    model_vector b = {0};
    model_vector c = {0};
    model_vector d = {0};
    for (int64_t k = 0; k < points; k++) {
      const float f = w[k * w_step];
      const int32_t at = offsets[k];
      a += *(const model_loose *)(p + at) * f;
      b += *(const model_loose *)(q + at) * f;
      c += *(const model_loose *)(r + at) * f;
      d += *(const model_loose *)(s + at) * f;
    }
    *(model_loose *)(sums + lane) = a;
    *(model_loose *)(sums + 16 + lane) = b;
    *(model_loose *)(sums + 32 + lane) = c;
    *(model_loose *)(sums + 48 + lane) = d;
  }
#else
  for (int64_t v = 0; v < vectors; v++) {
    for (int64_t lane = 0; lane < width; lane += 4) {
      float a = 0;
      float b = 0;
      float c = 0;
      float d = 0;
      for (int64_t k = 0; k < points; k++) {
        const float *const x = lanes[v] + lane + offsets[k];
        const float f = w[k * w_step];
        a += x[0] * f;
        b += x[1] * f;
        c += x[2] * f;
        d += x[3] * f;
      }
      float *const to = sums + v * 16 + lane;
      to[0] = a;
      to[1] = b;
      to[2] = c;
      to[3] = d;
    }
  }
#endif
}

static void model_plane_row(
    float *to, const float *row, int64_t first, int64_t step, int64_t count, int64_t extent) {
  int64_t low = 0;
  int64_t high = 0;
  if (row != NULL && first < extent) {
    low = first < 0 ? (step - 1 - first) / step : 0;
    high = (extent - first + step - 1) / step;
    if (high > count) high = count;
    if (low > high) low = high;
  }
  for (int64_t i = 0; i < low; i++) to[i] = 0;
  if (step == 1) {
    for (int64_t i = low; i < high; i++) to[i] = row[first + i];
  } else {
    for (int64_t i = low; i < high; i++) to[i] = row[first + i * step];
  }
  for (int64_t i = high; i < count; i++) to[i] = 0;
}

static void model_k0_conv2d(
    const float *restrict Input_0,
    const float *restrict Filter_0,
    const float *restrict t7,
    const float *restrict t10,
    float *restrict Out_0) {
  /* Output_0 */
  for (int64_t i0 = 0; i0 < 3; i0++) {
    for (int64_t i1 = 0; i1 < 6; i1++) {
      for (int64_t i2 = 0; i2 < 6; i2++) {
        float c0 = 0;
        for (int64_t i3 = 0; i3 < 2; i3++) {
          for (int64_t i4 = 0; i4 < 3; i4++) {
            for (int64_t i5 = 0; i5 < 3; i5++) {
              c0 += (model_inside(i1 + i4 - 1, 6) && model_inside(i2 + i5 - 1, 6) ? Input_0[(i3 * 6 + (i1 + i4 - 1)) * 6 + (i2 + i5 - 1)] : 0.0f) * Filter_0[((i0 * 2 + i3) * 3 + i4) * 3 + i5];
            }
          }
        }
        Out_0[(i0 * 6 + i1) * 6 + i2] = model_maximum_f32(((c0 * t7[i0]) + t10[i0]), 0.0f);
      }
    }
  }
}

static void model_k1_pool2d(
    const float *restrict X_0,
    float *restrict Out_0) {
  /* Out_0 */
  for (int64_t i0 = 0; i0 < 3; i0++) {
    for (int64_t i1 = 0; i1 < 3; i1++) {
      for (int64_t i2 = 0; i2 < 3; i2++) {
        float c0 = -INFINITY;
        for (int64_t i3 = 0; i3 < 2; i3++) {
          for (int64_t i4 = 0; i4 < 2; i4++) {
            c0 = model_maximum_f32(c0, X_0[(i0 * 6 + (i1 * 2 + i3)) * 6 + (i2 * 2 + i4)]);
          }
        }
        Out_0[(i0 * 3 + i1) * 3 + i2] = c0;
      }
    }
  }
}

static void model_k2_matmul_v2(
    const float *restrict X_0,
    const float *restrict Y_0,
    const float *restrict Y_0_2,
    float *restrict Out_0_2,
    void *restrict workspace) {
  /* Out_0 */
  {
  float *const panels = (float *)(void *)((unsigned char *)workspace + 0);
  static const int32_t offsets[] = {0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64, 68, 72, 76, 80, 84, 88, 92, 96, 100, 104};
  const float *const factors = X_0 + 0;
  for (int64_t band = 0; band < 1; band += 1) {
    const int64_t rows = 1 - band < 1 ? 1 - band : 1;
    for (int64_t r = 0; r < (rows - 1) * 1 + 27; r++) {
      const int64_t at = 0 + 1 * band + r;
      const float *const row = model_inside(at, 27) ? Y_0 + 0 + at * 4 : NULL;
      float *const to = panels + r * 4;
      model_plane_row(to, row, 0 + 0, 1, 4, 4);
    }
    const int64_t count = rows * 1;
    for (int64_t v = 0; v < count; v += 4) {
      const int64_t n = count - v < 4 ? count - v : 4;
      const float *lanes[4];
      for (int64_t k = 0; k < 4; k++) {
        const int64_t vector = k < n ? v + k : v;
        lanes[k] = panels + vector * 4;
      }
      float sums[64];
      model_planes(lanes, offsets, factors, 1, 27, n, 4, sums);
      for (int64_t k = 0; k < n; k++) {
        const float *const sum = sums + k * 16;
        const int64_t first = 0;
        const int64_t last = first + 16 < 4 ? first + 16 : 4;
        for (int64_t lane = first; lane < last; lane++) {
          const int64_t i0 = lane;
          (void)i0;
          const float c0 = sum[lane - first];
          Out_0_2[i0] = c0 + Y_0_2[i0];
        }
      }
    }
  }
  }
}

static void model_k3_softmax(
    float *restrict Out_0,
    void *restrict workspace) {
  unsigned char *bytes = workspace;
  float *const t1 = (float *)(void *)bytes;
  bytes += model_round_bytes(sizeof(float) * (size_t)(1 * 1));
  float *const t6 = (float *)(void *)bytes;
  bytes += model_round_bytes(sizeof(float) * (size_t)(1 * 4));
  float *const t7 = (float *)(void *)bytes;
  /* t1 */
  for (int64_t i0 = 0; i0 < 1; i0++) {
    float c0 = -INFINITY;
    for (int64_t i1 = 0; i1 < 4; i1++) {
      c0 = model_maximum_f32(c0, Out_0[i1]);
    }
    t1[0] = c0;
  }
  /* t7 */
  for (int64_t i0 = 0; i0 < 1; i0++) {
    float c0 = 0;
    for (int64_t i1 = 0; i1 < 4; i1++) {
      t6[i1] = (float)model_exp((double)model_maximum_f32((Out_0[i1] - t1[0]), (-64.0f)));
      c0 += t6[i1];
    }
    t7[0] = c0;
  }
  /* Out_0 */
  for (int64_t i0 = 0; i0 < 4; i0++) {
    Out_0[i0] = t6[i0] / t7[0];
  }
}

int model_run(
    void *arena,
    const struct model_inputs *inputs,
    const struct model_outputs *outputs) {
  unsigned char *const a = arena;
  if (a == NULL || (uintptr_t)a % 64 != 0) return 1;
  if (inputs->image == NULL) return 2;
  (void)inputs;
  (void)outputs;
#ifdef MODEL_CHECK
  memset(a + 0, 0xff, 448);
#endif
  if ((const void *)inputs->image != (const void *)(a + 448)) memcpy(a + 448, inputs->image, 288);

  /* op 1: conv2d + batch_norm + relu -> active */
  model_k0_conv2d((const void *)(a + 448), (const void *)(model_w0), (const void *)(model_w1), (const void *)(model_w2), (void *)(a + 0));
#ifdef MODEL_CHECK
  memset(a + 448, 0xff, 288);
#endif

  /* op 4: pool2d -> pooled */
  model_k1_pool2d((const void *)(a + 0), (void *)(a + 512));
#ifdef MODEL_CHECK
  memset(a + 0, 0xff, 432);
#endif

  /* op 5: reshape2 -> flat */

  /* op 6: matmul_v2 + elementwise_add -> sum */
  model_k2_matmul_v2((const void *)(a + 512), (const void *)(model_w3), (const void *)(model_w4), (void *)(a + 640), a + 0);
#ifdef MODEL_CHECK
  memset(a + 0, 0xff, 496);
  memset(a + 512, 0xff, 108);
#endif

  /* op 8: softmax -> out */
  model_k3_softmax((void *)(a + 640), a + 0);
#ifdef MODEL_CHECK
  memset(a + 0, 0xff, 48);
#endif
  if (outputs->out != NULL) memcpy(outputs->out, a + 640, 16);
  return 0;
}
