/* threads.pdmodel in C99, by sublet (development build).
 *
 * SHA-256 of the program: 05a250a25a0c7f5f49dcfcf83f58d5c6364dc33e12509eb6861f9f9557c8fa5c
 * SHA-256 of the program that was planned: 6d592873cba88d75bff2aad7569c90d173f5bcb0068c8573c5a1df7f1822d972
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
#define MODEL_ARENA_BYTES 114688UL
#define MODEL_ARENA_ALIGNMENT 64UL

/* The constants. */
#define MODEL_WEIGHTS_BYTES 49152UL

#define MODEL_INPUTS 1
#define MODEL_OUTPUTS 1

/* Input 'x': float32[128, 96] */
#define MODEL_INPUT_X_BYTES 49152UL
#define MODEL_INPUT_X_OFFSET 65536UL

/* The elements are copied into the arena before the first operator runs. A pointer may
 * be that of its place there, then nothing is copied, and the run overwrites them. */
struct model_inputs {
  const float *x; /* float32[128, 96] */
};

/* Output 'r': float32[128] */
#define MODEL_OUTPUT_R_BYTES 512UL
#define MODEL_OUTPUT_R_OFFSET 65536UL

/* An output is copied to its pointer, unless that is NULL. It is also at its place in the
 * arena until the next run. */
struct model_outputs {
  float *r; /* float32[128] */
};

/* Runs the model.
 *
 * Returns 0; 1 if the arena is NULL or not aligned; 2 if an input is NULL.
 */
int model_run(
    void *arena,
    const struct model_inputs *inputs,
    const struct model_outputs *outputs);

/* The most parts of an operator that may run at the same time. */
#define MODEL_THREADS 2

/* Threads of the caller. `run` calls task(call, part) for each part from 0 to
 * parts - 1, in any order and at the same time, and returns after the last call
 * has returned. What the tasks have written must then be visible to the caller,
 * and to tasks of later calls of `run`. */
struct model_threads {
  void (*run)(
      void *context, void (*task)(const void *call, int32_t part),
      const void *call, int32_t parts);
  void *context;
};

/* Runs the model as model_run does, with the same bits, on several threads.
 * If `threads` is NULL, the parts run one after the other. */
int model_run_threads(
    void *arena,
    const struct model_inputs *inputs,
    const struct model_outputs *outputs,
    const struct model_threads *threads);

#ifdef __cplusplus
}
#endif

#endif
