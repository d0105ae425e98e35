/* A memory plan by Sublet: where variables lie in their arenas, in bytes.
 * Planner: best; batch 1.
 * SHA-256 of the program: 54a7e03d2c80c64cc7463bbcaf5a1c8dc2058eb77c4dddd3631d929e33bfe2cd
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
#define PLAN_ARENA_0_BYTES 2048UL
#define PLAN_ARENA_0_ALIGNMENT 64UL

/* '*\x2F int x; /\x2A' of block 0 */
#define PLAN_INT_X_ARENA 0
#define PLAN_INT_X_OFFSET 0UL
#define PLAN_INT_X_BYTES 1024UL
/* live: [0, 18) */

/* 'a.b' of block 0 */
#define PLAN_A_B_ARENA 0
#define PLAN_A_B_OFFSET 1024UL
#define PLAN_A_B_BYTES 1024UL
/* live: [3, 5) */

/* 'a_b' of block 0 */
#define PLAN_A_B_2_ARENA 0
#define PLAN_A_B_2_OFFSET 1024UL
#define PLAN_A_B_2_BYTES 1024UL
/* live: [5, 7) */

/* 'A/B' of block 0 */
#define PLAN_A_B_3_ARENA 0
#define PLAN_A_B_3_OFFSET 1024UL
#define PLAN_A_B_3_BYTES 1024UL
/* live: [7, 9) */

/* '?\x3F/' of block 0 */
#define PLAN_V_ARENA 0
#define PLAN_V_OFFSET 1024UL
#define PLAN_V_BYTES 1024UL
/* live: [9, 11) */

/* '\xE5\x90\x8D\xE5\x89\x8D\xF0\x9F\x99\x82' of block 0 */
#define PLAN_V_2_ARENA 0
#define PLAN_V_2_OFFSET 1024UL
#define PLAN_V_2_BYTES 1024UL
/* live: [11, 13) */

/* 'a_b_2' of block 0 */
#define PLAN_A_B_2_2_ARENA 0
#define PLAN_A_B_2_2_OFFSET 1024UL
#define PLAN_A_B_2_2_BYTES 1024UL
/* live: [13, 15) */

/* '"\\' of block 0 */
#define PLAN_V_3_ARENA 0
#define PLAN_V_3_OFFSET 1024UL
#define PLAN_V_3_BYTES 1024UL
/* live: [15, 18) */

/* Shared on purpose:
 *   'a_b' of block 0 has the bytes of 'a.b' of block 0: in_place
 *   'A/B' of block 0 has the bytes of 'a_b' of block 0: in_place
 *   '?\x3F/' of block 0 has the bytes of 'A/B' of block 0: in_place
 *   '\xE5\x90\x8D\xE5\x89\x8D\xF0\x9F\x99\x82' of block 0 has the bytes of '?\x3F/' of block 0: in_place
 *   'a_b_2' of block 0 has the bytes of '\xE5\x90\x8D\xE5\x89\x8D\xF0\x9F\x99\x82' of block 0: in_place
 *   '"\\' of block 0 has the bytes of 'a_b_2' of block 0: in_place
 */

/* Without a place in the arenas:
 *   'feed' of block 0: persistable
 *   'fetch' of block 0: persistable
 */

#endif /* PLAN_H */
