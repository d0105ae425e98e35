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

static inline size_t layer_norm_round_bytes(size_t bytes) { return (bytes + 15) / 16 * 16; }

size_t layer_norm_workspace_bytes(int64_t d_x_0, int64_t d_x_1, float epsilon) {
  (void)d_x_1;
  (void)epsilon;
  size_t bytes = 0;
  bytes += layer_norm_round_bytes(sizeof(float) * (size_t)d_x_0);
  return bytes;
}

void layer_norm(
    const float *restrict x,
    const float *restrict scale,
    const float *restrict bias,
    float *restrict mean,
    float *restrict variance,
    float *restrict y,
    void *restrict workspace,
    int64_t d_x_0,
    int64_t d_x_1,
    float epsilon) {
  unsigned char *bytes = workspace;
  float *const t13 = (float *)(void *)bytes;
  /* mean */
  for (int64_t i0 = 0; i0 < d_x_0; i0++) {
    float c0 = 0;
    for (int64_t i1 = 0; i1 < d_x_1; i1++) {
      c0 += x[i0 * d_x_1 + i1];
    }
    mean[i0] = c0 / (float)d_x_1;
  }
  /* t13 */
  for (int64_t i0 = 0; i0 < d_x_0; i0++) {
    float c0 = 0;
    for (int64_t i1 = 0; i1 < d_x_1; i1++) {
      c0 += (x[i0 * d_x_1 + i1] - mean[i0]) * (x[i0 * d_x_1 + i1] - mean[i0]);
    }
    variance[i0] = c0 / (float)d_x_1;
    t13[i0] = 1 / sqrtf(variance[i0] + epsilon);
  }
  /* y */
  for (int64_t i0 = 0; i0 < d_x_0; i0++) {
    for (int64_t i1 = 0; i1 < d_x_1; i1++) {
      y[i0 * d_x_1 + i1] = (((x[i0 * d_x_1 + i1] - mean[i0]) * t13[i0]) * scale[i1]) + bias[i1];
    }
  }
}
