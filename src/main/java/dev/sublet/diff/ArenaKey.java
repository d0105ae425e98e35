package dev.sublet.diff;

import com.google.common.collect.ImmutableList;
import dev.sublet.plan.Arena;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.plan.Pool;
import java.util.HashMap;
import java.util.Map;

/**
 * The identity of an arena across plans: arenas of two plans correspond if their keys are equal.
 *
 * @param place the arena's memory space
 * @param pool the name of its pool; empty if it has none
 * @param stepOfBlock for a step arena, of which each iteration of a loop has its own: the loop's
 *     body block; else 0
 * @param number the position among the arenas of one plan that are otherwise equal: 0 for the first
 */
record ArenaKey(String place, String pool, int stepOfBlock, int number) {

  /** The keys of a plan's arenas, in order; no two are equal. O(arenas). */
  static ImmutableList<ArenaKey> all(MemoryPlan plan) {
    ImmutableList.Builder<ArenaKey> keys = ImmutableList.builder();
    Map<ArenaKey, Integer> counts = new HashMap<>();
    for (Arena arena : plan.arenas()) {
      String pool = arena.pool().map(Pool::name).orElse("");
      ArenaKey first = new ArenaKey(arena.place(), pool, arena.stepOfBlock(), 0);
      int number = counts.merge(first, 1, Integer::sum) - 1;
      keys.add(new ArenaKey(arena.place(), pool, arena.stepOfBlock(), number));
    }
    return keys.build();
  }
}
