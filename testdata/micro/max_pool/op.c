/* max_pool, written by Sublet.
   input x: float32[d_x_0, d_x_1]
   output y: float32[max_pool_floor_divide_index(d_x_0 + 2 - 3, 2) + 1, max_pool_floor_divide_index(d_x_1 + 2 - 3, 2) + 1]
*/
#include <math.h>
#include <stddef.h>
#include <stdint.h>

static inline int max_pool_inside(int64_t i, int64_t extent) { return i >= 0 && i < extent; }

static inline int64_t max_pool_floor_divide_index(int64_t a, int64_t b) {
  if (b == 0) return 0;
  if (b == -1) return (int64_t)(0 - (uint64_t)a);
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

static inline float max_pool_maximum_f32(float a, float b) {
  return a != a || a > b || (a == b && !signbit(a)) ? a : b;
}

void max_pool(
    const float *restrict x,
    float *restrict y,
    int64_t d_x_0,
    int64_t d_x_1) {
  const int64_t d_y_0 = max_pool_floor_divide_index(d_x_0 + 2 - 3, 2) + 1;
  const int64_t d_y_1 = max_pool_floor_divide_index(d_x_1 + 2 - 3, 2) + 1;
  /* y */
  for (int64_t i0 = 0; i0 < d_y_0; i0++) {
    for (int64_t i1 = 0; i1 < d_y_1; i1++) {
      float c0 = -INFINITY;
      for (int64_t i2 = 0; i2 < 3; i2++) {
        for (int64_t i3 = 0; i3 < 3; i3++) {
          c0 = max_pool_maximum_f32(c0, max_pool_inside(i0 * 2 + i2 - 1, d_x_0) && max_pool_inside(i1 * 2 + i3 - 1, d_x_1) ? x[(i0 * 2 + i2 - 1) * d_x_1 + (i1 * 2 + i3 - 1)] : (-INFINITY));
        }
      }
      y[i0 * d_y_1 + i1] = c0;
    }
  }
}
