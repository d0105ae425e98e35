package dev.sublet.report.format;

import dev.sublet.plan.Arena;

/** The names of arenas in reports. */
public final class ArenaNames {

  private ArenaNames() {}

  /**
   * Returns, for example, {@code arena on cpu}, {@code arena in sram} or {@code step arena of block
   * 1 on cpu}.
   */
  public static String of(Arena arena) {
    String where =
        arena.pool().isPresent() ? " in " + arena.pool().get().name() : " on " + arena.place();
    return (arena.isStep() ? "step arena of block " + arena.stepOfBlock() : "arena") + where;
  }
}
