/* A memory plan by Sublet: where variables lie in their arenas, in bytes.
 * Planner: best; batch 1.
 * SHA-256 of the program: a53370df21ad2456470724db09a650f431f16cb94fa65d739feb676326857906
 * Live intervals [begin, end) are in program points: operator k reads at 2k and writes at 2k + 1.
 */
#ifndef PLAN_H
#define PLAN_H

#include <stddef.h>
#include <stdint.h>

#define PLAN_ARENAS 1

/* Arena 0: cpu. In C11 (with <stdalign.h>) and C++11 for example:
 *   static alignas(PLAN_ARENA_0_ALIGNMENT) unsigned char arena0[PLAN_ARENA_0_BYTES];
 *   void *x = arena0 + PLAN_X_OFFSET;
 */
#define PLAN_ARENA_0_BYTES 3072UL
#define PLAN_ARENA_0_ALIGNMENT 64UL

/* 'x0' of block 0 */
/* It is in several places, one after the other. */
#define PLAN_X0_ALLOCATIONS 3
#define PLAN_X0_0_ARENA 0
#define PLAN_X0_0_OFFSET 0UL
#define PLAN_X0_0_BYTES 1024UL
/* live: [0, 4) */
#define PLAN_X0_1_ARENA 0
#define PLAN_X0_1_OFFSET 0UL
#define PLAN_X0_1_BYTES 1024UL
/* live: [4, 10) [16, 20) */
/* Loops move it: 1[0 2048 1024]; OFFSET is where it is before the first iteration. */
/* Where it is once the loop of block B has completed nB iterations. */
#define PLAN_X0_1_AT(n1) (((size_t)(n1) % 3u < 1u ? 0UL : ((size_t)(n1) % 3u < 2u ? 2048UL : 1024UL)))
#define PLAN_X0_2_ARENA 0
#define PLAN_X0_2_OFFSET 2048UL
#define PLAN_X0_2_BYTES 1024UL
/* live: [11, 16) */
/* Loops move it: 1[2048 1024 0]; OFFSET is where it is before the first iteration. */
/* Where it is once the loop of block B has completed nB iterations. */
#define PLAN_X0_2_AT(n1) (((size_t)(n1) % 3u < 1u ? 2048UL : ((size_t)(n1) % 3u < 2u ? 1024UL : 0UL)))

/* 'x1' of block 0 */
/* It is in several places, one after the other. */
#define PLAN_X1_ALLOCATIONS 3
#define PLAN_X1_0_ARENA 0
#define PLAN_X1_0_OFFSET 1024UL
#define PLAN_X1_0_BYTES 1024UL
/* live: [0, 4) */
#define PLAN_X1_1_ARENA 0
#define PLAN_X1_1_OFFSET 1024UL
#define PLAN_X1_1_BYTES 1024UL
/* live: [4, 8) [16, 20) */
/* Loops move it: 1[1024 0 2048]; OFFSET is where it is before the first iteration. */
/* Where it is once the loop of block B has completed nB iterations. */
#define PLAN_X1_1_AT(n1) (((size_t)(n1) % 3u < 1u ? 1024UL : ((size_t)(n1) % 3u < 2u ? 0UL : 2048UL)))
#define PLAN_X1_2_ARENA 0
#define PLAN_X1_2_OFFSET 0UL
#define PLAN_X1_2_BYTES 1024UL
/* live: [9, 16) */
/* Loops move it: 1[0 2048 1024]; OFFSET is where it is before the first iteration. */
/* Where it is once the loop of block B has completed nB iterations. */
#define PLAN_X1_2_AT(n1) (((size_t)(n1) % 3u < 1u ? 0UL : ((size_t)(n1) % 3u < 2u ? 2048UL : 1024UL)))

/* 'y' of block 1 */
#define PLAN_Y_ARENA 0
#define PLAN_Y_OFFSET 2048UL
#define PLAN_Y_BYTES 1024UL
/* live: [7, 12) */
/* Loops move it: 1[2048 1024 0]; OFFSET is where it is before the first iteration. */
/* Where it is once the loop of block B has completed nB iterations. */
#define PLAN_Y_AT(n1) (((size_t)(n1) % 3u < 1u ? 2048UL : ((size_t)(n1) % 3u < 2u ? 1024UL : 0UL)))

/* Shared on purpose:
 *   'x1' of block 0 has the bytes of 'x0' of block 0: view
 *   'x0' of block 0 has the bytes of 'y' of block 1: view
 */

/* Copies to where the bytes are already; they need not run:
 *   operator 1 of block 1, from 'x0' of block 0 to 'x1' of block 0
 *   operator 2 of block 1, from 'y' of block 1 to 'x0' of block 0
 */

/* Without a place in the arenas:
 *   'i' of block 0: persistable
 *   'n' of block 0: persistable
 *   'c' of block 0: persistable
 *   'feed' of block 0: persistable
 *   's' of block 0: has no elements
 *   'fetch' of block 0: persistable
 */

#endif /* PLAN_H */
