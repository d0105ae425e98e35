/* A memory plan by Sublet: where variables lie in their arenas, in bytes.
 * Planner: best; batch 1.
 * SHA-256 of the program: 5d6ef1477793d1f3ff00ecee1a3e395ec398dd3e7b3803079a01af057da39536
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
#define PLAN_ARENA_0_BYTES 768UL
#define PLAN_ARENA_0_ALIGNMENT 64UL

/* Arena 1: cpu, one per iteration of block 1. In C11 (with <stdalign.h>) and C++11 for example:
 *   static alignas(PLAN_ARENA_1_ALIGNMENT) unsigned char arena1[PLAN_ARENA_1_BYTES];
 *   void *x = arena1 + PLAN_X_OFFSET;
 */
#define PLAN_ARENA_1_BYTES 512UL
#define PLAN_ARENA_1_ALIGNMENT 64UL

/* 'x' of block 0 */
#define PLAN_X_ARENA 0
#define PLAN_X_OFFSET 0UL
#define PLAN_X_BYTES 256UL
/* live: [0, 38) */

/* 'i' of block 0 */
/* It is in several places, one after the other. */
#define PLAN_I_ALLOCATIONS 2
#define PLAN_I_0_ARENA 0
#define PLAN_I_0_OFFSET 512UL
#define PLAN_I_0_BYTES 8UL
/* live: [3, 22) */
#define PLAN_I_1_ARENA 0
#define PLAN_I_1_OFFSET 512UL
#define PLAN_I_1_BYTES 8UL
/* live: [23, 24) */

/* 'n' of block 0 */
#define PLAN_N_ARENA 0
#define PLAN_N_OFFSET 576UL
#define PLAN_N_BYTES 8UL
/* live: [5, 22) */

/* 'c' of block 0 */
/* It is in several places, one after the other. */
#define PLAN_C_ALLOCATIONS 2
#define PLAN_C_0_ARENA 0
#define PLAN_C_0_OFFSET 640UL
#define PLAN_C_0_BYTES 1UL
/* live: [9, 12) [21, 22) */
#define PLAN_C_1_ARENA 0
#define PLAN_C_1_OFFSET 576UL
#define PLAN_C_1_BYTES 1UL
/* live: [23, 24) */

/* 'h' of block 0 */
#define PLAN_H_ARENA 0
#define PLAN_H_OFFSET 256UL
#define PLAN_H_BYTES 256UL
/* live: [7, 14) [17, 25) */

/* 'h@GRAD' of block 0 */
#define PLAN_H_GRAD_ARENA 0
#define PLAN_H_GRAD_OFFSET 256UL
#define PLAN_H_GRAD_BYTES 256UL
/* live: [25, 38) */

/* 'a0' of block 1 */
#define PLAN_A0_ARENA 1
#define PLAN_A0_OFFSET 0UL
#define PLAN_A0_BYTES 256UL
/* live: [13, 32) */

/* 'a1' of block 1 */
#define PLAN_A1_ARENA 1
#define PLAN_A1_OFFSET 256UL
#define PLAN_A1_BYTES 256UL
/* live: [15, 30) */

/* 'g1' of block 2 */
#define PLAN_G1_ARENA 0
#define PLAN_G1_OFFSET 512UL
#define PLAN_G1_BYTES 256UL
/* live: [29, 32) */

/* 'g0' of block 2 */
#define PLAN_G0_ARENA 1
#define PLAN_G0_OFFSET 256UL
#define PLAN_G0_BYTES 256UL
/* live: [31, 34) */

/* Shared on purpose:
 *   'h@GRAD' of block 0 has the bytes of 'h' of block 0: in_place
 */

/* Without a place in the arenas:
 *   's' of block 0: has no elements
 *   'feed' of block 0: persistable
 *   'fetch' of block 0: persistable
 *   'h@GRAD' of block 2: linked by name by 'while_grad'
 */

#endif /* PLAN_H */
