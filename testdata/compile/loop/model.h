/* loop.pdmodel in C99, by sublet (development build).
 *
 * SHA-256 of the program: 312afebf8d6105391b4e9db9f25d54896b4b7ea5cdf26806860a0299ed7f32d7
 * SHA-256 of the program that was planned: bec4be6e33a02d852bb9365c28445bee06917d8e5e3bcc3b7e38d9b291ac1a7a
 * Planner: best. The plan is proved.
 *
 * The code allocates nothing and writes no global, so several arenas can be in
 * use at once. It needs less than 4 KiB of stack with gcc, and less than 16 KiB with
 * clang, whose vector code spills more registers. Compile with IEEE arithmetic and
 * without contraction (-ffp-contract=off) for the bits of `sublet run`.
 * With -DMODEL_CHECK, dead bytes of the arena are overwritten after each operator.
 */
#ifndef MODEL_H
#define MODEL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The arena: its size, and the alignment of its first byte. */
#define MODEL_ARENA_BYTES 833UL
#define MODEL_ARENA_ALIGNMENT 64UL

/* The constants. */
#define MODEL_WEIGHTS_BYTES 4UL

#define MODEL_INPUTS 2
#define MODEL_OUTPUTS 2

/* Input 'x': float32[64] */
#define MODEL_INPUT_X_BYTES 256UL
#define MODEL_INPUT_X_OFFSET 0UL

/* Input 'y': float32[64] */
#define MODEL_INPUT_Y_BYTES 256UL
#define MODEL_INPUT_Y_OFFSET 256UL

/* The elements are copied into the arena before the first operator runs. A pointer may
 * be that of its place there, then nothing is copied, and the run overwrites them. */
struct model_inputs {
  const float *x; /* float32[64] */
  const float *y; /* float32[64] */
};

/* Output 'a': float32[64] */
#define MODEL_OUTPUT_A_BYTES 256UL
/* Its place in the arena depends on the number of iterations of a loop. */

/* Output 'b': float32[64] */
#define MODEL_OUTPUT_B_BYTES 256UL
/* Its place in the arena depends on the number of iterations of a loop. */

/* An output is copied to its pointer, unless that is NULL. It is also at its place in the
 * arena until the next run. */
struct model_outputs {
  float *a; /* float32[64] */
  float *b; /* float32[64] */
};

/* Runs the model.
 *
 * Returns 0; 1 if the arena is NULL or not aligned; 2 if an input is NULL.
 */
int model_run(
    void *arena,
    const struct model_inputs *inputs,
    const struct model_outputs *outputs);

#ifdef __cplusplus
}
#endif

#endif
