/* matmul, written by Sublet.
   input a: float32[d_a_0, d_a_1]
   input b: float32[d_b_0, d_b_1]
   output c: float32[d_a_0, d_b_1]
   requires d_a_1 == d_b_0
*/
#include <math.h>
#include <stddef.h>
#include <stdint.h>

void matmul(
    const float *restrict a,
    const float *restrict b,
    float *restrict c,
    int64_t d_a_0,
    int64_t d_a_1,
    int64_t d_b_0,
    int64_t d_b_1) {
  (void)d_b_0;
  /* c */
  for (int64_t i0 = 0; i0 < d_a_0; i0++) {
    for (int64_t i1 = 0; i1 < d_b_1; i1++) {
      float c0 = 0;
      for (int64_t i2 = 0; i2 < d_a_1; i2++) {
        c0 += a[i0 * d_a_1 + i2] * b[i2 * d_b_1 + i1];
      }
      c[i0 * d_b_1 + i1] = c0;
    }
  }
}
