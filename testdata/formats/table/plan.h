/* A memory plan by Sublet: where variables lie in their arenas, in bytes.
 * Planner: a table of buffers; batch 1.
 * Live intervals [begin, end) are in program points: operator k reads at 2k and writes at 2k + 1.
 */
#ifndef PLAN_H
#define PLAN_H

#include <stddef.h>
#include <stdint.h>

#define PLAN_ARENAS 1

/* Arena 0: buffers. In C11 (with <stdalign.h>) and C++11 for example:
 *   static alignas(PLAN_ARENA_0_ALIGNMENT) unsigned char arena0[PLAN_ARENA_0_BYTES];
 *   void *x = arena0 + PLAN_X_OFFSET;
 */
#define PLAN_ARENA_0_BYTES 5608UL
#define PLAN_ARENA_0_ALIGNMENT 64UL

/* 'weights' of block 0 */
#define PLAN_WEIGHTS_ARENA 0
#define PLAN_WEIGHTS_OFFSET 0UL
#define PLAN_WEIGHTS_BYTES 4096UL
/* live: [0, 9) */

/* 'image' of block 0 */
#define PLAN_IMAGE_ARENA 0
#define PLAN_IMAGE_OFFSET 4096UL
#define PLAN_IMAGE_BYTES 1000UL
/* live: [0, 3) */

/* 'state' of block 0 */
#define PLAN_STATE_ARENA 0
#define PLAN_STATE_OFFSET 5096UL
#define PLAN_STATE_BYTES 512UL
/* live: [1, 3) [5, 9) */

#endif /* PLAN_H */
