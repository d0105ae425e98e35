package dev.sublet.liveness;

import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.cfg.ExclusiveBranches;
import dev.sublet.cfg.Region;
import dev.sublet.program.Slot;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Optional;

/**
 * The pairs of exclusive branches of which the second comes directly after the first.
 *
 * <pre>
 *   conditional_block(c)     { t = relu(a) }
 *   conditional_block(not c) { e = tanh(a) }      relu has run: nothing reads a any more
 *   y = select_input(e, t)
 * </pre>
 *
 * <p>If the first branch runs, no operator runs between the end of its body and the end of the
 * second branch. So a value that only the second branch reads need not be kept while the first one
 * runs, after the last read there.
 *
 * <p>Pairs are left out if a body is kept for a gradient, or if a loop around the pair may be left
 * from inside of a body.
 */
final class SuccessiveBranches {

  private final ControlFlowGraph graph;

  /** By region: the first branch of the pair of which the region is the second branch; or -1. */
  private final int[] before;

  private final boolean isEmpty;

  private SuccessiveBranches(ControlFlowGraph graph, int[] before) {
    this.graph = graph;
    this.before = before;
    this.isEmpty = Arrays.stream(before).allMatch(region -> region < 0);
  }

  /** Takes no pair. O(regions). */
  static SuccessiveBranches none(ControlFlowGraph graph) {
    int[] before = new int[graph.regions().size()];
    Arrays.fill(before, -1);
    return new SuccessiveBranches(graph, before);
  }

  /** Finds the pairs with a result that is not observed. O(regions × nesting depth + results). */
  static SuccessiveBranches find(ControlFlowGraph graph, Observation observation) {
    int[] before = new int[graph.regions().size()];
    Arrays.fill(before, -1);
    BitSet left = regionsThatLeave(graph);
    for (ExclusiveBranches.Result result : graph.exclusive().results().values()) {
      Region first = graph.region(Math.min(result.branch(), result.other()));
      Region second = graph.region(Math.max(result.branch(), result.other()));
      if (first.exit() + 1 == second.head()
          && !observation.isObserved(result.variable())
          && !first.kept()
          && !second.kept()
          && !left.get(first.index())
          && !left.get(second.index())) {
        before[second.index()] = first.index();
      }
    }
    return new SuccessiveBranches(graph, before);
  }

  /** Returns the regions from which a loop around them is left, directly or in a nested region. */
  private static BitSet regionsThatLeave(ControlFlowGraph graph) {
    BitSet result = new BitSet();
    for (Region region : graph.regions()) {
      for (int i = region.leaves() < 0 ? -1 : region.index();
          i >= 0 && i != region.leaves();
          i = graph.region(i).parent()) {
        result.set(i);
      }
    }
    return result;
  }

  /** Whether there is no pair. O(1). */
  boolean isEmpty() {
    return isEmpty;
  }

  /** Whether a region is the second branch of a pair. */
  boolean isSecond(int region) {
    return before[region] >= 0;
  }

  /**
   * Whether a variable is the condition of a branch, which is also read if the branch is skipped.
   */
  boolean isCondition(int region, int variable) {
    Optional<Slot> condition = graph.operation(graph.region(region).head()).inputSlot("Cond");
    return condition.isPresent() && condition.get().variable(0) == variable;
  }

  /** Returns the first branch of the pair of a second branch. */
  Region firstBefore(int second) {
    return graph.region(before[second]);
  }
}
