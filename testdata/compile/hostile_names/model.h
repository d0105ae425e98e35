/* hostile_names.pdmodel in C99, by sublet (development build).
 *
 * SHA-256 of the program: 325410e9ed4639757915ddfba6b3a6f7dd1bed02b47f17bf123da111921fd82f
 * SHA-256 of the program that was planned: b3563a8a8f6f271e3c4c76428307fe5cdbed2f4ab865e8e509303a0c961bc932
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
#define MODEL_ARENA_BYTES 264UL
#define MODEL_ARENA_ALIGNMENT 64UL

/* The constants. */
#define MODEL_WEIGHTS_BYTES 0UL

#define MODEL_INPUTS 5
#define MODEL_OUTPUTS 2

/* Input 'int': float32[2] */
#define MODEL_INPUT_INT_BYTES 8UL
#define MODEL_INPUT_INT_OFFSET 0UL

/* Input 'class': float32[2] */
#define MODEL_INPUT_CLASS_BYTES 8UL
#define MODEL_INPUT_CLASS_OFFSET 256UL

/* Input 'x.y': float32[2] */
#define MODEL_INPUT_X_Y_BYTES 8UL
#define MODEL_INPUT_X_Y_OFFSET 64UL

/* Input 'x_y': float32[2] */
#define MODEL_INPUT_X_Y_2_BYTES 8UL
#define MODEL_INPUT_X_Y_2_OFFSET 192UL

/* Input '1': float32[2] */
#define MODEL_INPUT_1_BYTES 8UL
#define MODEL_INPUT_1_OFFSET 128UL

/* The elements are copied into the arena before the first operator runs. A pointer may
 * be that of its place there, then nothing is copied, and the run overwrites them. */
struct model_inputs {
  const float *int_; /* float32[2] */
  const float *class_; /* float32[2] */
  const float *x_y; /* float32[2] */
  const float *x_y_2; /* float32[2] */
  const float *v_1; /* float32[2] */
};

/* Output 'a*\x2Fb': float32[2] */
#define MODEL_OUTPUT_A_B_BYTES 8UL
#define MODEL_OUTPUT_A_B_OFFSET 0UL

/* Output 'sum': float32[2] */
#define MODEL_OUTPUT_SUM_BYTES 8UL
#define MODEL_OUTPUT_SUM_OFFSET 64UL

/* An output is copied to its pointer, unless that is NULL. It is also at its place in the
 * arena until the next run. */
struct model_outputs {
  float *a_b; /* float32[2] */
  float *sum; /* float32[2] */
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
