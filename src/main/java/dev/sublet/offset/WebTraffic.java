package dev.sublet.offset;

import com.google.common.math.LongMath;
import dev.sublet.cfg.AccessTable;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.cfg.Region;
import dev.sublet.offset.merge.PlannedWebs;
import dev.sublet.program.Variable;

/**
 * The bytes that operators read from and write to each web: an estimate of the load on its memory.
 *
 * <p>An operator that reads a web moves all its bytes, and so does one that writes it. One that
 * reads only its shape moves none. An access in a loop counts {@value #RUNS_OF_A_LOOP} times for
 * each loop around it, up to {@value #MAX_LOOPS} loops; a branch counts as if it ran. Control
 * operators move nothing themselves; the operators of their blocks do. Numbers that overflow become
 * the greatest {@code long}.
 *
 * <p>Source of the factor: Chaitin, "Register allocation and spilling via graph coloring", 1982,
 * whose spill costs weigh a loop's body by ten per level, as compilers have done since.
 */
final class WebTraffic {

  private static final long RUNS_OF_A_LOOP = 10;
  private static final int MAX_LOOPS = 6;

  private WebTraffic() {}

  /**
   * Returns the bytes by web; 0 for webs that are not planned. O(accesses × log webs + regions).
   */
  static long[] find(PlannedWebs webs) {
    ControlFlowGraph graph = webs.graph();
    AccessTable accesses = graph.accesses();
    long[] runs = runsOfRegions(graph);
    long[] traffic = new long[webs.count()];
    for (Variable variable : graph.program().variables()) {
      int index = variable.index();
      for (int access = accesses.begin(index); access < accesses.end(index); access++) {
        int node = accesses.node(access);
        if (!graph.isKernel(node)) {
          continue;
        }
        long weight = runs[graph.regionOfNode(node)];
        if (accesses.readsElements(access)) {
          add(traffic, webs, webs.ranges().webAt(index, 2 * node), weight);
        }
        if (accesses.writes(access)) {
          add(traffic, webs, webs.ranges().webAt(index, 2 * node + 1), weight);
        }
      }
    }
    for (int web = 0; web < traffic.length; web++) {
      traffic[web] = webs.isPlanned(web) ? traffic[web] : 0;
    }
    return traffic;
  }

  private static void add(long[] traffic, PlannedWebs webs, int web, long weight) {
    if (web >= 0) {
      long moved = LongMath.saturatedMultiply(weight, webs.bytes(web));
      traffic[web] = LongMath.saturatedAdd(traffic[web], moved);
    }
  }

  private static long[] runsOfRegions(ControlFlowGraph graph) {
    int[] loops = new int[graph.regions().size()];
    long[] runs = new long[loops.length];
    for (Region region : graph.regions()) {
      int index = region.index();
      int around = region.parent() < 0 ? 0 : loops[region.parent()];
      loops[index] = around + (region.kind().isLoop() ? 1 : 0);
      runs[index] = LongMath.pow(RUNS_OF_A_LOOP, Math.min(loops[index], MAX_LOOPS));
    }
    return runs;
  }
}
