package dev.sublet.codec.plan;

import dev.sublet.plan.Arena;

/** What people call an arena. */
final class ArenaLabels {

  private ArenaLabels() {}

  /** For example {@code cpu, pool sram}. */
  static String of(Arena arena) {
    String label = arena.place();
    if (arena.pool().isPresent()) {
      label += ", pool " + arena.pool().get().name();
    }
    if (arena.isStep()) {
      label += ", one an iteration of block " + arena.stepOfBlock();
    }
    return label;
  }
}
