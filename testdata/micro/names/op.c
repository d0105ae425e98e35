/* two words, written by Sublet.
   input d: float32[d_d_0, 2]
   input x@GRAD: float64[]
   output -d: float32[d_d_0, 2]
   output total: float64[1, 1]
   output again: float64[1, 1]
*/
#include <math.h>
#include <stddef.h>
#include <stdint.h>

void two_words(
    const float *restrict d,
    const double *restrict x_GRAD,
    float *restrict x_d,
    double *restrict total,
    double *restrict again,
    int64_t d_d_0,
    double a_parameter) {
  (void)x_GRAD;
  /* again */
  for (int64_t i0 = 0; i0 < 1; i0++) {
    float c0 = 0;
    for (int64_t i1 = 0; i1 < d_d_0; i1++) {
      for (int64_t i2 = 0; i2 < 2; i2++) {
        x_d[i1 * 2 + i2] = -d[i1 * 2 + i2];
        c0 += x_d[i1 * 2 + i2] + expf(x_d[i1 * 2 + i2] - x_d[i1 * 2 + i2]);
      }
    }
    total[0] = (double)c0 * a_parameter;
    again[0] = total[0];
  }
}
