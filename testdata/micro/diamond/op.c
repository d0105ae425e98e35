/* diamond, written by Sublet.
   input x: float32[d_x_0]
   input y: float32[d_x_0]
   output o: float32[d_x_0]
*/
#include <math.h>
#include <stddef.h>
#include <stdint.h>

void diamond(
    const float *restrict x,
    const float *restrict y,
    float *restrict o,
    int64_t d_x_0) {
  /* o */
  for (int64_t i0 = 0; i0 < d_x_0; i0++) {
    o[i0] = (x[i0] * y[i0]) + ((x[i0] * y[i0]) + y[i0]);
  }
}
