package dev.sublet.compile;

import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.micro.emit.CFunctions;

/**
 * Decides how many lanes the panels of products have. Wider panels are faster, and a nest without
 * one runs as plain loops, at a tenth of the speed; but panels are scratch memory in the arena.
 *
 * <p>Each operator gets a panel that fits into the bytes that the first plan leaves free while the
 * operator runs, plus a number of bytes by which the arena may grow. O(operators × allocations).
 */
final class PanelChoice {

  /** The numbers of lanes, the best first. */
  private static final ImmutableList<Integer> STRIPS = ImmutableList.of(1024, 256, 64, 32, 16);

  /** A panel of more bytes is not faster: it leaves the second-level cache. */
  private static final long ENOUGH_BYTES = 256 << 10;

  private PanelChoice() {}

  /**
   * Returns the steps with panels.
   *
   * @param arena the layout of a plan for the steps without panels
   * @param growth the bytes by which the arena may grow
   */
  static ImmutableList<LoweredStep> choose(
      ImmutableList<LoweredStep> steps, PlannedProgram planned, ArenaLayout arena, long growth) {
    ImmutableList.Builder<LoweredStep> chosen = ImmutableList.builder();
    for (int i = 0; i < steps.size(); i++) {
      long free = arena.bytes() - arena.usedBytes(2 * planned.positions().get(i));
      LoweredStep step = steps.get(i);
      chosen.add(step instanceof LoweredStep.Nests nests ? choose(nests, free + growth) : step);
    }
    return chosen.build();
  }

  private static LoweredStep choose(LoweredStep.Nests step, long bytes) {
    int last = STRIPS.get(STRIPS.size() - 1);
    for (int strip : STRIPS) {
      long panel =
          CFunctions.workspaceBytes(step.program(), strip)
              - CFunctions.workspaceBytes(step.program(), /* strip= */ 0);
      if (panel <= bytes && (panel <= ENOUGH_BYTES || strip == last)) {
        return step.withStrip(strip);
      }
    }
    return step.withStrip(0);
  }
}
