package dev.sublet.diff;

import com.google.common.collect.ImmutableList;
import dev.sublet.plan.Arena;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.plan.Pool;
import java.util.HashMap;
import java.util.Map;

/**
 * What an arena is for: two of different plans with equal keys stand for each other.
 *
 * @param place the memory that it is in
 * @param pool the name of its pool; empty if it has none
 * @param stepOfBlock the body block of the loop of whose iterations each has one; 0 for none
 * @param number tells apart those of one plan that are for the same: 0 for the first
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
