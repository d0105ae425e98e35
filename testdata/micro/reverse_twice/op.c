/* reverse_twice, written by Sublet.
   input x: float32[d_x_0]
   output y: float32[d_x_0]
*/
#include <math.h>
#include <stddef.h>
#include <stdint.h>

void reverse_twice(
    const float *restrict x,
    float *restrict y,
    int64_t d_x_0) {
  /* y */
  for (int64_t i0 = 0; i0 < d_x_0; i0++) {
    y[i0] = x[d_x_0 - 1 - ((-i0) + (d_x_0 - 1))];
  }
}
