/* A memory plan by Sublet: where variables lie in their arenas, in bytes.
 * Planner: best; batch 1.
 * SHA-256 of the program: dc3bc6d1cad6c19c761a648fc36dd1ad54a6708059e11295d8a70ad7615b66d4
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

/* 'x' of block 0 */
#define PLAN_X_ARENA 0
#define PLAN_X_OFFSET 0UL
#define PLAN_X_BYTES 1024UL
/* live: [0, 12) */

/* 'a' of block 0 */
#define PLAN_A_ARENA 0
#define PLAN_A_OFFSET 1024UL
#define PLAN_A_BYTES 1024UL
/* live: [3, 6) */

/* 'b' of block 0 */
#define PLAN_B_ARENA 0
#define PLAN_B_OFFSET 2048UL
#define PLAN_B_BYTES 1024UL
/* live: [5, 8) */

/* 'c' of block 0 */
#define PLAN_C_ARENA 0
#define PLAN_C_OFFSET 1024UL
#define PLAN_C_BYTES 1024UL
/* live: [7, 10) */

/* 'd' of block 0 */
#define PLAN_D_ARENA 0
#define PLAN_D_OFFSET 2048UL
#define PLAN_D_BYTES 1024UL
/* live: [9, 12) */

/* Without a place in the arenas:
 *   'w' of block 0: persistable
 *   'feed' of block 0: persistable
 *   'fetch' of block 0: persistable
 */

#endif /* PLAN_H */
