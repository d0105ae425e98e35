/* argmax, written by Sublet.
   input x: float32[d_x_0, d_x_1]
   output row: int64[d_x_0, 1]
   output all: int64[1, 1]
   output least: int64[1, d_x_1]
*/
#include <math.h>
#include <stddef.h>
#include <stdint.h>

void argmax(
    const float *restrict x,
    int64_t *restrict row,
    int64_t *restrict all,
    int64_t *restrict least,
    int64_t d_x_0,
    int64_t d_x_1) {
  /* all */
  for (int64_t i0 = 0; i0 < 1; i0++) {
    int64_t c0 = 0;
    int c0_any = 0;
    float c0_best = 0;
    for (int64_t i1 = 0; i1 < d_x_0; i1++) {
      int64_t c1 = 0;
      int c1_any = 0;
      float c1_best = 0;
      for (int64_t i2 = 0; i2 < d_x_1; i2++) {
        {
          const float c1_value = x[i1 * d_x_1 + i2];
          if (!c1_any || c1_value > c1_best || (isnan(c1_value) && !isnan(c1_best))) {
            c1_best = c1_value;
            c1 = i2;
            c1_any = 1;
          }
        }
        {
          const float c0_value = x[i1 * d_x_1 + i2];
          if (!c0_any || c0_value > c0_best || (isnan(c0_value) && !isnan(c0_best))) {
            c0_best = c0_value;
            c0 = i1 * d_x_1 + i2;
            c0_any = 1;
          }
        }
      }
      row[i1] = c1;
    }
    all[0] = c0;
  }
  /* least */
  for (int64_t i0 = 0; i0 < d_x_1; i0++) {
    int64_t c0 = 0;
    int c0_any = 0;
    float c0_best = 0;
    for (int64_t i1 = 0; i1 < d_x_0; i1++) {
      {
        const float c0_value = x[i1 * d_x_1 + i0];
        if (!c0_any || c0_value < c0_best || (isnan(c0_value) && !isnan(c0_best))) {
          c0_best = c0_value;
          c0 = i1;
          c0_any = 1;
        }
      }
    }
    least[i0] = c0;
  }
}
