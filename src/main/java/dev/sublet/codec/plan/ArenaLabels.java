package dev.sublet.codec.plan;

import dev.sublet.plan.Arena;

/** Labels of arenas for people to read. */
final class ArenaLabels {

  private ArenaLabels() {}

  /** Returns the label of an arena, for example {@code cpu, pool sram}. */
  static String of(Arena arena) {
    String label = arena.place();
    if (arena.pool().isPresent()) {
      label += ", pool " + arena.pool().get().name();
    }
    if (arena.isStep()) {
      label += ", one per iteration of block " + arena.stepOfBlock();
    }
    return label;
  }
}
