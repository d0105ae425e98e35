/* layer_norm, written by Sublet.
   input x: float32[d_x_0, d_x_1]
   input scale: float32[d_x_1]
   input bias: float32[d_x_1]
   output mean: float32[d_x_0, 1]
   output variance: float32[d_x_0, 1]
   output y: float32[d_x_0, d_x_1]
*/
#include <math.h>
#include <stddef.h>
#include <stdint.h>

void layer_norm(
    const float *restrict x,
    const float *restrict scale,
    const float *restrict bias,
    float *restrict mean,
    float *restrict variance,
    float *restrict y,
    int64_t d_x_0,
    int64_t d_x_1,
    float epsilon) {
  /* mean */
  for (int64_t i0 = 0; i0 < d_x_0; i0++) {
    float c0 = 0;
    for (int64_t i1 = 0; i1 < d_x_1; i1++) {
      c0 += x[i0 * d_x_1 + i1];
    }
    mean[i0] = c0 / (float)d_x_1;
  }
  /* variance */
  for (int64_t i0 = 0; i0 < d_x_0; i0++) {
    float c0 = 0;
    for (int64_t i1 = 0; i1 < d_x_1; i1++) {
      c0 += (x[i0 * d_x_1 + i1] - mean[i0]) * (x[i0 * d_x_1 + i1] - mean[i0]);
    }
    variance[i0] = c0 / (float)d_x_1;
  }
  /* y */
  for (int64_t i0 = 0; i0 < d_x_0; i0++) {
    for (int64_t i1 = 0; i1 < d_x_1; i1++) {
      y[i0 * d_x_1 + i1] = (((x[i0 * d_x_1 + i1] - mean[i0]) * (1 / sqrtf(variance[i0] + epsilon))) * scale[i1]) + bias[i1];
    }
  }
}
