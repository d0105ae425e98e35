/* select, written by Sublet.
   input x: float32[d_x_0, d_x_1]
   input k: int64[d_x_0, d_k_1]
   output y: float32[d_x_0, d_k_1]
*/
#include <math.h>
#include <stddef.h>
#include <stdint.h>

static inline int select_inside(int64_t i, int64_t extent) { return i >= 0 && i < extent; }

void select(
    const float *restrict x,
    const int64_t *restrict k,
    float *restrict y,
    int64_t d_x_0,
    int64_t d_x_1,
    int64_t d_k_1) {
  /* y */
  for (int64_t i0 = 0; i0 < d_x_0; i0++) {
    for (int64_t i1 = 0; i1 < d_k_1; i1++) {
      y[i0 * d_k_1 + i1] = select_inside((int64_t)k[i0 * d_k_1 + i1], d_x_1) ? x[i0 * d_x_1 + (int64_t)k[i0 * d_k_1 + i1]] : 0.0f;
    }
  }
}
