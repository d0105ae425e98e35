/* A memory plan by Sublet: where variables lie in their arenas, in bytes.
 * Planner: best; batch 1.
 * SHA-256 of the program: 6b17267f83deb9cb3efbc58b1232281ce7ddaacdba41c7963c12cc86248eaf5e
 * Live intervals [begin, end) are in program points: operator k reads at 2k and writes at 2k + 1.
 */
#ifndef PLAN_H
#define PLAN_H

#include <stddef.h>
#include <stdint.h>

#define PLAN_ARENAS 2

/* Arena 0: cpu. In C11 (with <stdalign.h>) and C++11 for example:
 *   static alignas(PLAN_ARENA_0_ALIGNMENT) unsigned char arena0[PLAN_ARENA_0_BYTES];
 *   void *x = arena0 + PLAN_X_OFFSET;
 */
#define PLAN_ARENA_0_BYTES 4UL
#define PLAN_ARENA_0_ALIGNMENT 64UL

/* Arena 1: gpu. In C11 (with <stdalign.h>) and C++11 for example:
 *   static alignas(PLAN_ARENA_1_ALIGNMENT) unsigned char arena1[PLAN_ARENA_1_BYTES];
 *   void *x = arena1 + PLAN_X_OFFSET;
 */
#define PLAN_ARENA_1_BYTES 512UL
#define PLAN_ARENA_1_ALIGNMENT 64UL

/* 'x' of block 0 */
#define PLAN_X_ARENA 1
#define PLAN_X_OFFSET 0UL
#define PLAN_X_BYTES 256UL
/* live: [0, 14) */

/* 'n' of block 0 */
#define PLAN_N_ARENA 0
#define PLAN_N_OFFSET 0UL
#define PLAN_N_BYTES 4UL
/* live: [5, 14) */

/* 'a' of block 0 */
#define PLAN_A_ARENA 1
#define PLAN_A_OFFSET 256UL
#define PLAN_A_BYTES 256UL
/* live: [3, 7) */

/* 'b' of block 0 */
#define PLAN_B_ARENA 1
#define PLAN_B_OFFSET 256UL
#define PLAN_B_BYTES 256UL
/* live: [7, 9) */

/* 'c' of block 0 */
#define PLAN_C_ARENA 1
#define PLAN_C_OFFSET 256UL
#define PLAN_C_BYTES 256UL
/* live: [9, 14) */

/* Shared on purpose:
 *   'b' of block 0 has the bytes of 'a' of block 0: in_place
 *   'c' of block 0 has the bytes of 'b' of block 0: in_place
 */

/* Without a place in the arenas:
 *   'feed' of block 0: persistable
 *   'fetch' of block 0: persistable
 */

#endif /* PLAN_H */
