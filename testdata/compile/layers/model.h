/* layers.pdmodel in C99, by sublet (development build).
 *
 * SHA-256 of the program: aff27707ba74425880ab22e8b956ebc0165e01a4367f3209c722259370dd9a48
 * SHA-256 of the program that was planned: 190b4b1a8eb302e938e5473777d5e8475e984e86c90b90bfa35c48147cdac1f5
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
#define MODEL_ARENA_BYTES 736UL
#define MODEL_ARENA_ALIGNMENT 64UL

/* The constants. */
#define MODEL_WEIGHTS_BYTES 848UL

#define MODEL_INPUTS 1
#define MODEL_OUTPUTS 1

/* Input 'image': float32[1, 2, 6, 6] */
#define MODEL_INPUT_IMAGE_BYTES 288UL
#define MODEL_INPUT_IMAGE_OFFSET 448UL

/* The elements are copied into the arena before the first operator runs. A pointer may
 * be that of its place there, then nothing is copied, and the run overwrites them. */
struct model_inputs {
  const float *image; /* float32[1, 2, 6, 6] */
};

/* Output 'out': float32[1, 4] */
#define MODEL_OUTPUT_OUT_BYTES 16UL
#define MODEL_OUTPUT_OUT_OFFSET 640UL

/* An output is copied to its pointer, unless that is NULL. It is also at its place in the
 * arena until the next run. */
struct model_outputs {
  float *out; /* float32[1, 4] */
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
