/* softmax, written by Sublet.
   input x: float32[d_x_0, d_x_1]
   output y: float32[d_x_0, d_x_1]
*/
#include <math.h>
#include <stddef.h>
#include <stdint.h>

static inline size_t softmax_round_bytes(size_t bytes) { return (bytes + 15) / 16 * 16; }

static inline float softmax_maximum_f32(float a, float b) {
  return a != a || a > b || (a == b && !signbit(a)) ? a : b;
}

size_t softmax_workspace_bytes(int64_t d_x_0, int64_t d_x_1) {
  size_t bytes = 0;
  bytes += softmax_round_bytes(sizeof(float) * (size_t)(d_x_0 * 1));
  bytes += softmax_round_bytes(sizeof(float) * (size_t)(d_x_0 * d_x_1));
  bytes += softmax_round_bytes(sizeof(float) * (size_t)(d_x_0 * 1));
  return bytes;
}

void softmax(
    const float *restrict x,
    float *restrict y,
    void *restrict workspace,
    int64_t d_x_0,
    int64_t d_x_1) {
  unsigned char *bytes = workspace;
  float *const largest = (float *)(void *)bytes;
  bytes += softmax_round_bytes(sizeof(float) * (size_t)(d_x_0 * 1));
  float *const e = (float *)(void *)bytes;
  bytes += softmax_round_bytes(sizeof(float) * (size_t)(d_x_0 * d_x_1));
  float *const total = (float *)(void *)bytes;
  /* largest */
  for (int64_t i0 = 0; i0 < d_x_0; i0++) {
    float c0 = -INFINITY;
    for (int64_t i1 = 0; i1 < d_x_1; i1++) {
      c0 = softmax_maximum_f32(c0, x[i0 * d_x_1 + i1]);
    }
    largest[i0] = c0;
  }
  /* total */
  for (int64_t i0 = 0; i0 < d_x_0; i0++) {
    float c0 = 0;
    for (int64_t i1 = 0; i1 < d_x_1; i1++) {
      e[i0 * d_x_1 + i1] = expf(x[i0 * d_x_1 + i1] - largest[i0]);
      c0 += e[i0 * d_x_1 + i1];
    }
    total[i0] = c0;
  }
  /* y */
  for (int64_t i0 = 0; i0 < d_x_0; i0++) {
    for (int64_t i1 = 0; i1 < d_x_1; i1++) {
      y[i0 * d_x_1 + i1] = e[i0 * d_x_1 + i1] / total[i0];
    }
  }
}
