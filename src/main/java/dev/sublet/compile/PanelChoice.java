package dev.sublet.compile;

import com.google.common.collect.ImmutableList;
import dev.sublet.runtime.micro.emit.CFunctions;
import dev.sublet.runtime.micro.emit.Tiling;

/**
 * Decides how many lanes the panels of products have. Wider panels are faster, and a nest without
 * one runs as plain loops, at a tenth of the speed; but panels are scratch memory in the arena.
 *
 * <p>Each operator gets a panel that fits into the bytes that the first plan leaves free while the
 * operator runs, plus a number of bytes by which the arena may grow. If not even the narrowest
 * panel fits, one for some of the points is filled several times. O(operators × allocations).
 */
final class PanelChoice {

  /** The numbers of lanes, the best first. The large ones are odd multiples of a vector. */
  private static final ImmutableList<Integer> STRIPS = ImmutableList.of(1008, 240, 64, 32, 16);

  /** A panel of more bytes is not faster: it leaves the second-level cache. */
  private static final long ENOUGH_BYTES = 256 << 10;

  /**
   * The most bytes of a panel that is filled several times: room for 32 points of 16 lanes. More
   * are not faster.
   */
  private static final long SHORT_BYTES = 2 << 10;

  private PanelChoice() {}

  /**
   * Returns the steps with panels.
   *
   * @param arena the layout of a plan for the steps without panels
   * @param growth the bytes by which the arena may grow
   * @param threads the most parts of an operator that run at the same time; each has its own panel
   */
  static ImmutableList<LoweredStep> choose(
      ImmutableList<LoweredStep> steps,
      PlannedProgram planned,
      ArenaLayout arena,
      long growth,
      int threads) {
    ImmutableList.Builder<LoweredStep> chosen = ImmutableList.builder();
    for (int i = 0; i < steps.size(); i++) {
      long free = arena.bytes() - arena.usedBytes(2 * planned.positions().get(i));
      LoweredStep step = steps.get(i);
      chosen.add(
          step instanceof LoweredStep.Nests nests ? choose(nests, free + growth, threads) : step);
    }
    return chosen.build();
  }

  private static LoweredStep choose(LoweredStep.Nests step, long bytes, int threads) {
    int last = STRIPS.get(STRIPS.size() - 1);
    Tiling plain = new Tiling(/* strip= */ 0, threads);
    for (int strip : STRIPS) {
      Tiling tiling = plain.withStrip(strip);
      long panels = panelBytes(step, tiling, plain);
      if (panels <= bytes && (panels <= ENOUGH_BYTES * threads || strip == last)) {
        return step.withTiling(tiling);
      }
    }
    Tiling shortened = plain.withShortPanels(Math.min(SHORT_BYTES, bytes / threads));
    return step.withTiling(panelBytes(step, shortened, plain) <= bytes ? shortened : plain);
  }

  private static long panelBytes(LoweredStep.Nests step, Tiling tiling, Tiling plain) {
    return CFunctions.workspaceBytes(step.program(), tiling)
        - CFunctions.workspaceBytes(step.program(), plain);
  }
}
