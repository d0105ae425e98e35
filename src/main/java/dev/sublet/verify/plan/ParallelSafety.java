package dev.sublet.verify.plan;

import dev.sublet.program.Program;
import dev.sublet.verify.graph.DefUses;
import dev.sublet.verify.graph.ExclusivePattern;
import dev.sublet.verify.graph.InPlaceRule;
import dev.sublet.verify.graph.IntList;
import dev.sublet.verify.graph.NodeOrder;
import dev.sublet.verify.graph.ProgramGraph;
import dev.sublet.verify.graph.Violations;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Finds allocations with common bytes that operators running at the same time could use for two
 * values.
 *
 * <p>For two allocations with a common byte, every access of one must come before every access of
 * the other in the {@link OperatorOrder}, or the two are in exclusive branches, so that only one of
 * them happens.
 *
 * <pre>
 *   a = relu(x)   b = tanh(a)   c = exp(x)      nothing orders tanh before exp,
 *                                               so c must not have bytes of a
 * </pre>
 *
 * <p>Four exceptions are allowed:
 *
 * <ul>
 *   <li>An operator that reads one and writes the other may be the last access of the former and
 *       the first access of the latter, if it may work in place.
 *   <li>The runtime makes the two one buffer.
 *   <li>The two are results of exclusive branches.
 *   <li>The two are connected by views, and each write that changes a byte of the other comes
 *       before or after all accesses of the other.
 * </ul>
 *
 * <p>O(pairs that overlap in bytes × the product of their accesses).
 */
final class ParallelSafety {

  private final NodeOrder nodeOrder;
  private final PlacedAllocations allocations;
  private final ExclusivePattern exclusive;
  private final BufferGroups groups;
  private final ViewFamilies views;
  private final KeptBytes kept;
  private final InPlaceRule inPlace;
  private final OperatorOrder order;
  private final Violations violations;

  // By allocation: the nodes that access it and those that write it, ascending.
  private final List<IntList> users = new ArrayList<>();
  private final List<IntList> writers = new ArrayList<>();

  ParallelSafety(
      ProgramGraph graph,
      PlacementFacts placement,
      ViewFamilies views,
      InPlaceRule inPlace,
      Violations violations) {
    DefUses accesses = graph.accesses();
    this.nodeOrder = graph.nodes();
    this.allocations = placement.allocations();
    this.exclusive = graph.exclusive();
    this.groups = placement.groups();
    this.views = views;
    this.kept = placement.kept();
    this.inPlace = inPlace;
    this.violations = violations;
    this.order = OperatorOrder.of(nodeOrder, accesses);
    for (int a = 0; a < allocations.size(); a++) {
      users.add(new IntList());
      writers.add(new IntList());
    }
    collect(accesses);
  }

  private void collect(DefUses accesses) {
    DefUses.Visitor visitor =
        new DefUses.Visitor() {
          @Override
          public void read(int node, int variable) {
            add(node, variable, 2 * node, users);
            if (nodeOrder.isHead(node) || nodeOrder.isExit(node)) {
              add(node, variable, 2 * node + 1, users);
            }
          }

          @Override
          public void write(int node, int variable, boolean kills) {
            add(node, variable, 2 * node + 1, users);
            add(node, variable, 2 * node + 1, writers);
            if (nodeOrder.isHead(node) || nodeOrder.isExit(node)) {
              add(node, variable, 2 * node, users);
              add(node, variable, 2 * node, writers);
            }
          }
        };
    for (int node = 0; node < nodeOrder.nodeCount(); node++) {
      accesses.visit(node, visitor);
    }
  }

  private void add(int node, int variable, int point, List<IntList> lists) {
    int allocation = allocations.at(variable, point);
    if (allocation != PlacedAllocations.NONE) {
      IntList list = lists.get(allocation);
      if (list.size() == 0 || list.get(list.size() - 1) != node) {
        list.add(node);
      }
    }
  }

  /** Checks all pairs that overlap in bytes, in a sweep over the offsets. */
  void run() {
    List<Integer> byOffset = new ArrayList<>();
    for (int a = 0; a < allocations.size(); a++) {
      byOffset.add(a);
    }
    byOffset.sort(
        Comparator.<Integer>comparingInt(a -> allocations.get(a).arena())
            .thenComparingLong(a -> allocations.get(a).offset()));
    List<Integer> open = new ArrayList<>();
    for (int a : byOffset) {
      open.removeIf(b -> !reaches(b, a));
      if (allocations.get(a).bytes() > 0) {
        for (int b : open) {
          check(Math.max(a, b), Math.min(a, b));
        }
        open.add(a);
      }
    }
  }

  private boolean reaches(int a, int later) {
    return allocations.get(a).arena() == allocations.get(later).arena()
        && allocations.get(a).offset() + allocations.get(a).bytes()
            > allocations.get(later).offset();
  }

  private void check(int a, int b) {
    int v = allocations.variable(a);
    int w = allocations.variable(b);
    if (precedes(a, b)
        || precedes(b, a)
        || groups.areSame(v, w)
        || exclusive.areExclusive(v, w)
        || (views.areConnected(v, w) && !disturbs(a, b) && !disturbs(b, a))) {
      return;
    }
    Program program = nodeOrder.program();
    violations.add(
        program.variable(v),
        "has bytes in common with "
            + Violations.quote(program, w)
            + ", which operators could use at the same time in the parallel order");
  }

  /**
   * Whether all accesses of the first allocation come before all accesses of the second, as far as
   * both happen in one run.
   */
  private boolean precedes(int first, int second) {
    for (int i = 0; i < users.get(first).size(); i++) {
      for (int j = 0; j < users.get(second).size(); j++) {
        int a = users.get(first).get(i);
        int b = users.get(second).get(j);
        if (!order.before(a, b)
            && !exclusive.neverRunBoth(a, b)
            && !(a == b && handsOver(a, first, second))) {
          return false;
        }
      }
    }
    return true;
  }

  private boolean handsOver(int node, int from, int to) {
    return !nodeOrder.isHead(node)
        && !nodeOrder.isExit(node)
        && allocations.areIdentical(from, to)
        && inPlace.allows(
            nodeOrder.operation(node), allocations.variable(from), allocations.variable(to));
  }

  /**
   * Whether a write of one allocation may change bytes of the other at a time when its accesses
   * need them.
   */
  private boolean disturbs(int written, int other) {
    for (int i = 0; i < writers.get(written).size(); i++) {
      int node = writers.get(written).get(i);
      if (kept.changes(node, allocations.variable(written), written, other)
          && !isApart(node, users.get(other))) {
        return true;
      }
    }
    return false;
  }

  private boolean isApart(int node, IntList nodes) {
    boolean isFirst = true;
    boolean isLast = true;
    for (int i = 0; i < nodes.size(); i++) {
      isFirst &= order.before(node, nodes.get(i));
      isLast &= order.before(nodes.get(i), node);
    }
    return isFirst || isLast;
  }
}
