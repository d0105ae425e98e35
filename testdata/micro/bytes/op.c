/* bytes, written by Sublet.
   input a: uint8[d_a_0]
   input b: int8[d_a_0]
   input x: float32[d_a_0]
   output shifted: uint8[d_a_0]
   output larger: bool[d_a_0]
   output sum8: uint8[d_a_0]
   output signed: int8[d_a_0]
   output chosen: int8[d_a_0]
   output rounded: uint8[d_a_0]
   output scaled: float32[d_a_0]
*/
#include <math.h>
#include <stddef.h>
#include <stdint.h>

static inline int x_bytes__inside(int64_t i, int64_t extent) { return i >= 0 && i < extent; }

static inline int8_t x_bytes__select_i8(int c, int8_t a, int8_t b) { return c ? a : b; }

static inline int32_t x_bytes__add_i32(int32_t a, int32_t b) {
  return (int32_t)((uint32_t)a + (uint32_t)b);
}

static inline int32_t x_bytes__to_i32(double x) {
  if (x != x) return 0;
  return x >= 2147483648.0 ? INT32_MAX : x < -2147483648.0 ? INT32_MIN : (int32_t)x;
}

void x_bytes_(
    const uint8_t *restrict a,
    const int8_t *restrict b,
    const float *restrict x,
    uint8_t *restrict shifted,
    uint8_t *restrict larger,
    uint8_t *restrict sum8,
    int8_t *restrict x_signed_,
    int8_t *restrict chosen,
    uint8_t *restrict rounded,
    float *restrict scaled,
    int64_t d_a_0) {
  /* scaled */
  for (int64_t i0 = 0; i0 < d_a_0; i0++) {
    shifted[i0] = x_bytes__inside(i0 - 1, d_a_0) ? a[i0 - 1] : 0;
    larger[i0] = a[i0] > 127;
    chosen[i0] = x_bytes__select_i8(larger[i0] != 0, (int8_t)a[i0], b[i0]);
    sum8[i0] = (uint8_t)x_bytes__add_i32((int32_t)a[i0], (int32_t)b[i0]);
    x_signed_[i0] = (int8_t)x_bytes__add_i32((int32_t)a[i0], (int32_t)b[i0]);
    rounded[i0] = (uint8_t)x_bytes__to_i32(x[i0]);
    scaled[i0] = (float)a[i0] * 0.5f;
  }
}
