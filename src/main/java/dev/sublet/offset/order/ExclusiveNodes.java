package dev.sublet.offset.order;

import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.cfg.ExclusiveBranches;
import dev.sublet.cfg.Region;
import java.util.Arrays;

/**
 * The pairs of nodes of which at most one runs, because they are inside two exclusive branches.
 *
 * <pre>{@code
 * conditional_block(c) { a = f(x) }   conditional_block(n) { b = g(x) }   n = logical_not(c)
 * f and g: in any order, but only one of them runs
 * }</pre>
 *
 * <p>The answers hold for one run of the innermost block around both; runs of a block follow one
 * another.
 */
final class ExclusiveNodes {

  private final ControlFlowGraph graph;

  /** By region: the branch that runs if this one does not; -1 for all other regions. */
  private final int[] opposite;

  /** Finds the branches. O(regions + results). */
  ExclusiveNodes(ControlFlowGraph graph) {
    this.graph = graph;
    this.opposite = new int[graph.regions().size()];
    Arrays.fill(opposite, -1);
    for (ExclusiveBranches.Result result : graph.exclusive().results().values()) {
      opposite[result.branch()] = result.other();
      opposite[result.other()] = result.branch();
    }
  }

  /**
   * Whether two nodes are in two exclusive branches: inside, or at the exit, where a branch that
   * does not run writes nothing. O(nesting depth).
   */
  boolean areExclusive(int a, int b) {
    int exited = graph.regionAtExit(a);
    int region = exited >= 0 ? exited : graph.regionOfNode(a);
    for (; region > 0; region = graph.region(region).parent()) {
      if (opposite[region] >= 0) {
        Region other = graph.region(opposite[region]);
        if (other.head() < b && b <= other.exit()) {
          return true;
        }
      }
    }
    return false;
  }
}
