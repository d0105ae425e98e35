/* mean, written by Sublet.
   input x: float32[d_x_0, d_x_1]
   input n: int64[d_n_0, d_n_1]
   output rows: float32[d_x_0, 1]
   output all: float32[1, 1]
   output m: int64[d_n_0, 1]
*/
#include <math.h>
#include <stddef.h>
#include <stdint.h>

static inline int64_t mean_add_i64(int64_t a, int64_t b) {
  return (int64_t)((uint64_t)a + (uint64_t)b);
}

static inline int64_t mean_divide_i64(int64_t a, int64_t b) {
  return b == 0 ? 0 : b == -1 ? (int64_t)(0 - (uint64_t)a) : a / b;
}

void mean(
    const float *restrict x,
    const int64_t *restrict n,
    float *restrict rows,
    float *restrict all,
    int64_t *restrict m,
    int64_t d_x_0,
    int64_t d_x_1,
    int64_t d_n_0,
    int64_t d_n_1) {
  /* all */
  for (int64_t i0 = 0; i0 < 1; i0++) {
    float c0 = 0;
    for (int64_t i1 = 0; i1 < d_x_0; i1++) {
      float c1 = 0;
      for (int64_t i2 = 0; i2 < d_x_1; i2++) {
        c1 += x[i1 * d_x_1 + i2];
        c0 += x[i1 * d_x_1 + i2];
      }
      rows[i1] = c1 / (float)d_x_1;
    }
    all[0] = c0 / (float)(d_x_0 * d_x_1);
  }
  /* m */
  for (int64_t i0 = 0; i0 < d_n_0; i0++) {
    int64_t c0 = 0;
    for (int64_t i1 = 0; i1 < d_n_1; i1++) {
      c0 = mean_add_i64(c0, n[i0 * d_n_1 + i1]);
    }
    m[i0] = mean_divide_i64(c0, d_n_1);
  }
}
