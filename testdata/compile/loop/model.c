#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "model.h"

extern const float model_w0[1];

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

/* fdlibm, s_expm1.c */
static double model_expm1(double x) {
  const uint32_t high = (uint32_t)model_high(x);
  const int negative = (int)(high >> 31);
  const uint32_t size = high & 0x7fffffff;
  double c = 0;
  int32_t k = 0;
  if (size >= 0x4043687A) {
    if (size >= 0x40862E42) {
      if (size >= 0x7ff00000) return x != x ? x : negative ? -1.0 : x;
      if (x > 7.09782712893383973096e+02) return INFINITY;
    }
    if (negative) return -1.0;
  }
  if (size > 0x3fd62e42) {
    double hi;
    double lo;
    if (size < 0x3FF0A2B2) {
      hi = negative ? x + 6.93147180369123816490e-01 : x - 6.93147180369123816490e-01;
      lo = negative ? -1.90821492927058770002e-10 : 1.90821492927058770002e-10;
      k = negative ? -1 : 1;
    } else {
      k = (int32_t)(1.44269504088896338700e+00 * x + (negative ? -0.5 : 0.5));
      hi = x - k * 6.93147180369123816490e-01;
      lo = k * 1.90821492927058770002e-10;
    }
    x = hi - lo;
    c = (hi - x) - lo;
  } else if (size < 0x3c900000) {
    return x;
  }
  const double hfx = 0.5 * x;
  const double hxs = x * hfx;
  const double r1 =
      1.0
      + hxs
            * (-3.33333333333331316428e-02
               + hxs
                     * (1.58730158725481460165e-03
                        + hxs
                              * (-7.93650757867487942473e-05
                                 + hxs
                                       * (4.00821782732936239552e-06
                                          + hxs * -2.01099218183624371326e-07))));
  double t = 3.0 - r1 * hfx;
  double e = hxs * ((r1 - t) / (6.0 - x * t));
  if (k == 0) return x - (x * e - hxs);
  e = x * (e - c) - c;
  e -= hxs;
  if (k == -1) return 0.5 * (x - e) - 0.5;
  if (k == 1) return x < -0.25 ? -2.0 * (e - (x + 0.5)) : 1.0 + 2.0 * (x - e);
  if (k <= -2 || k > 56) {
    const double y = 1.0 - (e - x);
    return (k == 1024 ? y * 2.0 * 0x1p1023 : model_scaled(y, k)) - 1.0;
  }
  if (k < 20) {
    t = model_number((uint64_t)(0x3ff00000 - (0x200000 >> k)) << 32);
    return model_scaled(t - (e - x), k);
  }
  t = model_number((uint64_t)(uint32_t)(0x3ff - k) << 52);
  return model_scaled(x - (e + t) + 1.0, k);
}

/* fdlibm, s_tanh.c */
static double model_tanh(double x) {
  const int32_t high = model_high(x);
  const int32_t size = high & 0x7fffffff;
  if (size >= 0x7ff00000) return high >= 0 ? 1.0 / x + 1.0 : 1.0 / x - 1.0;
  double z = 1.0;
  if (size < 0x40360000) {
    if (size < 0x3c800000) return x * (1.0 + x);
    if (size >= 0x3ff00000) {
      z = 1.0 - 2.0 / (model_expm1(2.0 * fabs(x)) + 2.0);
    } else {
      const double t = model_expm1(-2.0 * fabs(x));
      z = -t / (t + 2.0);
    }
  }
  return high >= 0 ? z : -z;
}

static inline float model_maximum_f32(float a, float b) {
  return a != a || a > b || (a == b && !signbit(a)) ? a : b;
}

static void model_k0_relu(
    float *restrict Out_0) {
  /* Out_0 */
  for (int64_t i0 = 0; i0 < 64; i0++) {
    Out_0[i0] = model_maximum_f32(Out_0[i0], 0.0f);
  }
}

static void model_k1_reduce_sum(
    const float *restrict X_0,
    float *restrict Out_0) {
  /* Out_0 */
  for (int64_t i0 = 0; i0 < 1; i0++) {
    float c0 = 0;
    for (int64_t i1 = 0; i1 < 64; i1++) {
      c0 += X_0[i1];
    }
    Out_0[0] = c0;
  }
}

static void model_k2_less_than(
    const float *restrict X_0,
    const float *restrict Y_0,
    uint8_t *restrict Out_0) {
  /* Out_0 */
  for (int64_t i0 = 0; i0 < 1; i0++) {
    Out_0[0] = X_0[0] < Y_0[0];
  }
}

static void model_k3_scale(
    float *restrict Out_0) {
  /* Out_0 */
  for (int64_t i0 = 0; i0 < 64; i0++) {
    Out_0[i0] = (Out_0[i0] * 1.5f) + 0.5f;
  }
}

static void model_k4_reduce_max(
    const float *restrict X_0,
    float *restrict Out_0) {
  /* Out_0 */
  for (int64_t i0 = 0; i0 < 1; i0++) {
    float c0 = -INFINITY;
    for (int64_t i1 = 0; i1 < 64; i1++) {
      c0 = model_maximum_f32(c0, X_0[i1]);
    }
    Out_0[0] = c0;
  }
}

static void model_k5_logical_not(
    const uint8_t *restrict X_0,
    uint8_t *restrict Out_0) {
  /* Out_0 */
  for (int64_t i0 = 0; i0 < 1; i0++) {
    Out_0[0] = X_0[0] == 0;
  }
}

static void model_k6_scale(
    const float *restrict X_0,
    float *restrict Out_0) {
  /* Out_0 */
  for (int64_t i0 = 0; i0 < 64; i0++) {
    Out_0[i0] = (X_0[i0] * 2.0f) + 0.0f;
  }
}

static void model_k7_tanh(
    const float *restrict X_0,
    float *restrict Out_0) {
  /* Out_0 */
  for (int64_t i0 = 0; i0 < 64; i0++) {
    Out_0[i0] = (float)model_tanh((double)X_0[i0]);
  }
}

static void model_k8_cast(
    const uint8_t *restrict X_0,
    int32_t *restrict Out_0) {
  /* Out_0 */
  for (int64_t i0 = 0; i0 < 1; i0++) {
    Out_0[0] = (int32_t)X_0[0];
  }
}

int model_run(
    void *arena,
    const struct model_inputs *inputs,
    const struct model_outputs *outputs) {
  unsigned char *const a = arena;
  size_t n1 = 0;
  if (a == NULL || (uintptr_t)a % 64 != 0) return 1;
  if (inputs->x == NULL) return 2;
  if (inputs->y == NULL) return 2;
  (void)inputs;
  (void)outputs;
#ifdef MODEL_CHECK
  memset(a + 512, 0xff, 321);
#endif
  if ((const void *)inputs->x != (const void *)(a + 0)) memcpy(a + 0, inputs->x, 256);
  if ((const void *)inputs->y != (const void *)(a + 256)) memcpy(a + 256, inputs->y, 256);

  /* op 3: relu -> a, block 0 */
  model_k0_relu((void *)(a + 0));

  /* op 4: relu -> b, block 0 */
  model_k0_relu((void *)(a + 256));

  /* op 5: reduce_sum -> n, block 0 */
  model_k1_reduce_sum((const void *)(a + 0), (void *)(a + 512));

  /* op 6: less_than -> c, block 0 */
  model_k2_less_than((const void *)(a + 512), (const void *)(model_w0), (void *)(a + 576));
#ifdef MODEL_CHECK
  memset(a + 512, 0xff, 4);
#endif

  /* op 7: while, block 0 */
  n1 = 0;
  while (*(a + 576) != 0) {

    /* op 0: scale -> t, block 1 */
    model_k3_scale((void *)(a + (((size_t)(n1) % 2u < 1u ? 0UL : 256UL))));

    /* op 3: reduce_max -> m, block 1 */
    model_k4_reduce_max((const void *)(a + (((size_t)(n1) % 2u < 1u ? 256UL : 0UL))), (void *)(a + 512));

    /* op 4: less_than -> d, block 1 */
    model_k2_less_than((const void *)(a + 512), (const void *)(model_w0), (void *)(a + 832));
#ifdef MODEL_CHECK
    memset(a + 512, 0xff, 4);
#endif

    /* op 5: logical_not -> e, block 1 */
    model_k5_logical_not((const void *)(a + 832), (void *)(a + 768));

    /* op 6: conditional_block, block 1 */
    if (*(a + 832) != 0) {

      /* op 0: scale -> p, block 2 */
      model_k6_scale((const void *)(a + (((size_t)(n1) % 2u < 1u ? 0UL : 256UL))), (void *)(a + 512));
    }

    /* op 7: conditional_block, block 1 */
    if (*(a + 768) != 0) {

      /* op 0: tanh -> q, block 3 */
      model_k7_tanh((const void *)(a + (((size_t)(n1) % 2u < 1u ? 0UL : 256UL))), (void *)(a + 512));
    }

    /* op 8: cast -> f, block 1 */
    model_k8_cast((const void *)(a + 832), (void *)(a + 768));
#ifdef MODEL_CHECK
    memset(a + 832, 0xff, 1);
#endif

    /* op 9: select_input -> b#3, block 1 */
    memcpy(a + (((size_t)(n1) % 2u < 1u ? 0UL : 256UL)), a + 512, 256);
#ifdef MODEL_CHECK
    memset(a + 512, 0xff, 256);
    memset(a + 768, 0xff, 4);
#endif

    /* op 10: reduce_sum -> n#3, block 1 */
    model_k1_reduce_sum((const void *)(a + (((size_t)(n1) % 2u < 1u ? 0UL : 256UL))), (void *)(a + 512));

    /* op 11: less_than -> c#3, block 1 */
    model_k2_less_than((const void *)(a + 512), (const void *)(model_w0), (void *)(a + 576));
#ifdef MODEL_CHECK
    memset(a + 512, 0xff, 4);
#endif
    n1++;
  }
  if (outputs->a != NULL) memcpy(outputs->a, a + (((size_t)(n1) % 2u < 1u ? 0UL : 256UL)), 256);
  if (outputs->b != NULL) memcpy(outputs->b, a + (((size_t)(n1) % 2u < 1u ? 256UL : 0UL)), 256);
  return 0;
}
