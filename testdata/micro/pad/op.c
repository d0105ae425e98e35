/* pad, written by Sublet.
   input x: float32[d_x_0]
   output zeros: float32[d_x_0 + 2]
   output y: float32[d_x_0 + 3]
*/
#include <math.h>
#include <stddef.h>
#include <stdint.h>

static inline int pad_inside(int64_t i, int64_t extent) { return i >= 0 && i < extent; }

void pad(
    const float *restrict x,
    float *restrict zeros,
    float *restrict y,
    int64_t d_x_0) {
  const int64_t d_zeros_0 = d_x_0 + 2;
  const int64_t d_y_0 = d_x_0 + 3;
  /* zeros */
  for (int64_t i0 = 0; i0 < d_zeros_0; i0++) {
    zeros[i0] = pad_inside(i0 - 1, d_x_0) ? x[i0 - 1] : 0.0f;
  }
  /* y */
  for (int64_t i0 = 0; i0 < d_y_0; i0++) {
    y[i0] = pad_inside(i0 - 1, d_x_0) ? x[i0 - 1] : (-1.5f);
  }
}
