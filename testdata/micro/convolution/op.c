/* convolution, written by Sublet.
   input x: float32[d_x_0, d_x_1, d_x_2, d_x_3]
   input w: float32[d_w_0, d_w_1, d_w_2, d_w_3]
   output y: float32[d_x_0, convolution_floor_divide_index(d_x_1 - d_w_1, stride) + 1, convolution_floor_divide_index(d_x_2 - d_w_2, stride) + 1, d_w_0]
   requires d_x_3 == d_w_3
*/
#include <math.h>
#include <stddef.h>
#include <stdint.h>

static inline int convolution_inside(int64_t i, int64_t extent) { return i >= 0 && i < extent; }

static inline int64_t convolution_floor_divide_index(int64_t a, int64_t b) {
  if (b == 0) return 0;
  if (b == -1) return (int64_t)(0 - (uint64_t)a);
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

void convolution(
    const float *restrict x,
    const float *restrict w,
    float *restrict y,
    int64_t d_x_0,
    int64_t d_x_1,
    int64_t d_x_2,
    int64_t d_x_3,
    int64_t d_w_0,
    int64_t d_w_1,
    int64_t d_w_2,
    int64_t d_w_3,
    int64_t stride) {
  const int64_t d_y_1 = convolution_floor_divide_index(d_x_1 - d_w_1, stride) + 1;
  const int64_t d_y_2 = convolution_floor_divide_index(d_x_2 - d_w_2, stride) + 1;
  /* y */
  for (int64_t i0 = 0; i0 < d_x_0; i0++) {
    for (int64_t i1 = 0; i1 < d_y_1; i1++) {
      for (int64_t i2 = 0; i2 < d_y_2; i2++) {
        for (int64_t i3 = 0; i3 < d_w_0; i3++) {
          float c0 = 0;
          for (int64_t i4 = 0; i4 < d_w_1; i4++) {
            for (int64_t i5 = 0; i5 < d_w_2; i5++) {
              for (int64_t i6 = 0; i6 < d_x_3; i6++) {
                c0 += (convolution_inside(i1 * stride + i4, d_x_1) && convolution_inside(i2 * stride + i5, d_x_2) ? x[((i0 * d_x_1 + (i1 * stride + i4)) * d_x_2 + (i2 * stride + i5)) * d_x_3 + i6] : 0.0f) * w[((i3 * d_w_1 + i4) * d_w_2 + i5) * d_w_3 + i6];
              }
            }
          }
          y[((i0 * d_y_1 + i1) * d_y_2 + i2) * d_w_0 + i3] = c0;
        }
      }
    }
  }
}
