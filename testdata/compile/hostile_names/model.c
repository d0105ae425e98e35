#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "model.h"

static void model_k0_elementwise_add(
    const float *restrict Y_0,
    float *restrict Out_0) {
  /* Out_0 */
  for (int64_t i0 = 0; i0 < 2; i0++) {
    Out_0[i0] = Out_0[i0] + Y_0[i0];
  }
}

static void model_k1_elementwise_mul(
    const float *restrict Y_0,
    float *restrict Out_0) {
  /* Out_0 */
  for (int64_t i0 = 0; i0 < 2; i0++) {
    Out_0[i0] = Out_0[i0] * Y_0[i0];
  }
}

static void model_k2_elementwise_sub(
    const float *restrict Y_0,
    float *restrict Out_0) {
  /* Out_0 */
  for (int64_t i0 = 0; i0 < 2; i0++) {
    Out_0[i0] = Out_0[i0] - Y_0[i0];
  }
}

int model_run(
    void *arena,
    const struct model_inputs *inputs,
    const struct model_outputs *outputs) {
  unsigned char *const a = arena;
  if (a == NULL || (uintptr_t)a % 64 != 0) return 1;
  if (inputs->int_ == NULL) return 2;
  if (inputs->class_ == NULL) return 2;
  if (inputs->x_y == NULL) return 2;
  if (inputs->x_y_2 == NULL) return 2;
  if (inputs->v_1 == NULL) return 2;
  (void)inputs;
  (void)outputs;
#ifdef MODEL_CHECK
  memset(a + 8, 0xff, 56);
  memset(a + 72, 0xff, 56);
  memset(a + 136, 0xff, 56);
  memset(a + 200, 0xff, 56);
#endif
  if ((const void *)inputs->int_ != (const void *)(a + 0)) memcpy(a + 0, inputs->int_, 8);
  if ((const void *)inputs->class_ != (const void *)(a + 256)) memcpy(a + 256, inputs->class_, 8);
  if ((const void *)inputs->x_y != (const void *)(a + 64)) memcpy(a + 64, inputs->x_y, 8);
  if ((const void *)inputs->x_y_2 != (const void *)(a + 192)) memcpy(a + 192, inputs->x_y_2, 8);
  if ((const void *)inputs->v_1 != (const void *)(a + 128)) memcpy(a + 128, inputs->v_1, 8);

  /* op 5: elementwise_add -> a*\x2Fb */
  model_k0_elementwise_add((const void *)(a + 256), (void *)(a + 0));
#ifdef MODEL_CHECK
  memset(a + 256, 0xff, 8);
#endif

  /* op 6: elementwise_mul -> weights */
  model_k1_elementwise_mul((const void *)(a + 192), (void *)(a + 64));
#ifdef MODEL_CHECK
  memset(a + 192, 0xff, 8);
#endif

  /* op 7: elementwise_sub -> sum */
  model_k2_elementwise_sub((const void *)(a + 128), (void *)(a + 64));
#ifdef MODEL_CHECK
  memset(a + 128, 0xff, 8);
#endif
  if (outputs->a_b != NULL) memcpy(outputs->a_b, a + 0, 8);
  if (outputs->sum != NULL) memcpy(outputs->sum, a + 64, 8);
  return 0;
}
