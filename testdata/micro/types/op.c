/* types, written by Sublet.
   input a: int32[d_a_0]
   input b: int32[d_a_0]
   input flags: bool[d_a_0]
   output both: bool[d_a_0]
   output q: int32[d_a_0]
   output half: float64[d_a_0]
   output n: int64[1]
   output r: int32[d_a_0]
   output k: int32[d_a_0]
   output i: int64[d_a_0]
   output some: bool[1]
   output last: bool[d_a_0]
*/
#include <math.h>
#include <stddef.h>
#include <stdint.h>

static inline int32_t types_select_i32(int c, int32_t a, int32_t b) { return c ? a : b; }

static inline int64_t types_add_i64(int64_t a, int64_t b) {
  return (int64_t)((uint64_t)a + (uint64_t)b);
}

static inline int32_t types_subtract_i32(int32_t a, int32_t b) {
  return (int32_t)((uint32_t)a - (uint32_t)b);
}

static inline int32_t types_divide_i32(int32_t a, int32_t b) {
  return b == 0 ? 0 : b == -1 ? (int32_t)(0 - (uint32_t)a) : a / b;
}

static inline int32_t types_floor_divide_i32(int32_t a, int32_t b) {
  if (b == 0) return 0;
  if (b == -1) return (int32_t)(0 - (uint32_t)a);
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

static inline int32_t types_modulo_i32(int32_t a, int32_t b) {
  if (b == 0 || b == -1) return 0;
  const int32_t r = a % b;
  return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

static inline uint8_t types_maximum_bool(uint8_t a, uint8_t b) { return a | b; }

void types(
    const int32_t *restrict a,
    const int32_t *restrict b,
    const uint8_t *restrict flags,
    uint8_t *restrict both,
    int32_t *restrict q,
    double *restrict half,
    int64_t *restrict n,
    int32_t *restrict r,
    int32_t *restrict k,
    int64_t *restrict i,
    uint8_t *restrict some,
    uint8_t *restrict last,
    int64_t d_a_0,
    int32_t limit) {
  /* last */
  for (int64_t i0 = 0; i0 < 1; i0++) {
    int64_t c0 = 0;
    uint8_t c1 = 0;
    for (int64_t i1 = 0; i1 < d_a_0; i1++) {
      both[i1] = (a[i1] > limit) & flags[i1];
      q[i1] = types_select_i32(both[i1] != 0, types_divide_i32(a[i1], b[i1]), types_subtract_i32(0, a[i1]));
      half[i1] = (double)q[i1] * 0.5;
      c0 = types_add_i64(c0, (int64_t)both[i1]);
      c1 = types_maximum_bool(c1, flags[i1] ^ both[i1]);
      r[i1] = types_floor_divide_i32(a[i1], b[i1]);
      k[i1] = types_modulo_i32(a[i1], b[i1]);
      i[i1] = i1 * 2 - 1;
      last[i1] = (a[i1] == 9) | (flags[i1] == 0);
    }
    n[0] = c0;
    some[0] = c1;
  }
}
