package dev.sublet.report;

import dev.sublet.plan.Arena;

/** What arenas are called. */
final class ArenaNames {

  private ArenaNames() {}

  /**
   * For example {@code arena on cpu}, {@code arena in sram}, {@code step arena of block 1 on cpu}.
   */
  static String of(Arena arena) {
    String where =
        arena.pool().isPresent() ? " in " + arena.pool().get().name() : " on " + arena.place();
    return (arena.isStep() ? "step arena of block " + arena.stepOfBlock() : "arena") + where;
  }
}
