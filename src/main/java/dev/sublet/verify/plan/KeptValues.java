package dev.sublet.verify.plan;

import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.Program;
import dev.sublet.verify.graph.NodeOrder;
import dev.sublet.verify.graph.SavedScopes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;

/**
 * Where the variables in a step arena have their values when an iteration of a loop ends, which is
 * where they are when the gradient's body begins in the same scope: nothing else has access to the
 * arena in between. O(variables in step arenas) a pass over a loop.
 */
final class KeptValues {

  private final NodeOrder nodes;
  private final SavedScopes savedScopes;

  /** By the body block of a loop: the variables in its step arenas. */
  private final Map<Integer, List<Integer>> variables = new HashMap<>();

  /** The same: where they were when the latest pass over the body ended. */
  private final Map<Integer, List<Integer>> values = new HashMap<>();

  KeptValues(
      NodeOrder nodes, SavedScopes savedScopes, MemoryPlan plan, PlacedAllocations allocations) {
    this.nodes = nodes;
    this.savedScopes = savedScopes;
    for (int a = 0; a < allocations.size(); a++) {
      int block = plan.arenas().get(allocations.get(a).arena()).stepOfBlock();
      if (block != 0 && allocations.variable(a) != Program.NO_VARIABLE) {
        variables.computeIfAbsent(block, loop -> new ArrayList<>()).add(allocations.variable(a));
      }
    }
  }

  /**
   * A pass over the body of a control operator has ended. The last pass over a loop is the one that
   * counts: it begins with what holds before all iterations.
   *
   * @param current where a variable's value is
   */
  void endPass(int head, IntUnaryOperator current) {
    List<Integer> kept = variables.get(nodes.body(head));
    if (kept != null) {
      List<Integer> now = new ArrayList<>();
      for (int variable : kept) {
        now.add(current.applyAsInt(variable));
      }
      values.put(nodes.body(head), now);
    }
  }

  /**
   * A pass over the body of a control operator begins: if that is the gradient of a loop, its step
   * arenas are as they were when the iteration ended.
   *
   * @param set sets where a variable's value is
   */
  void startPass(int head, Setter set) {
    int forward = savedScopes.forwardHead(head);
    List<Integer> kept = forward < 0 ? null : variables.get(nodes.body(forward));
    List<Integer> before = forward < 0 ? null : values.get(nodes.body(forward));
    for (int i = 0; kept != null && before != null && i < kept.size(); i++) {
      set.set(kept.get(i), before.get(i));
    }
  }

  /** Sets where a variable's value is. */
  interface Setter {
    void set(int variable, int value);
  }
}
