package dev.sublet.diff;

import dev.sublet.plan.Arena;
import dev.sublet.plan.Pool;

/**
 * What an arena is for: two of different plans with equal keys stand for each other.
 *
 * @param place the memory that it is in
 * @param pool the name of its pool; empty if it has none
 * @param stepOfBlock the body block of the loop of whose iterations each has one; 0 for none
 */
record ArenaKey(String place, String pool, int stepOfBlock) {

  static ArenaKey of(Arena arena) {
    return new ArenaKey(
        arena.place(), arena.pool().map(Pool::name).orElse(""), arena.stepOfBlock());
  }
}
