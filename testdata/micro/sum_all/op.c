/* sum_all, written by Sublet.
   input x: float32[d_x_0]
   input y: float32[d_x_0]
   output s: float32[1]
   output difference: float32[d_x_0]
   output t: float32[1, 1]
*/
#include <math.h>
#include <stddef.h>
#include <stdint.h>

void sum_all(
    const float *restrict x,
    const float *restrict y,
    float *restrict s,
    float *restrict difference,
    float *restrict t,
    int64_t d_x_0) {
  /* t */
  for (int64_t i0 = 0; i0 < 1; i0++) {
    float c0 = 0;
    float c1 = 0;
    for (int64_t i1 = 0; i1 < d_x_0; i1++) {
      for (int64_t i2 = 0; i2 < d_x_0; i2++) {
        c1 += x[i1];
      }
      c0 += x[i1] * y[i1];
    }
    s[0] = c0;
    t[0] = c1;
  }
  /* difference */
  for (int64_t i0 = 0; i0 < d_x_0; i0++) {
    difference[i0] = (x[i0] * y[i0]) - s[0];
  }
}
