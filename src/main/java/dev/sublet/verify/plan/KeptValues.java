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
 * The locations of the values in step arenas when an iteration of a loop ends. They are the same
 * when the gradient's body begins in the same scope, because nothing else accesses the arena in
 * between. O(variables in step arenas) per pass over a loop.
 */
final class KeptValues {

  private final NodeOrder nodes;
  private final SavedScopes savedScopes;

  /** By the body block of a loop: the variables in its step arenas. */
  private final Map<Integer, List<Integer>> variables = new HashMap<>();

  /** By the body block of a loop: their locations when the latest pass over the body ended. */
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
   * Records the locations when a pass over the body of a control operator has ended. The last pass
   * over a loop counts, because it begins with a state that is true before all iterations.
   *
   * @param current returns the location of a variable's value
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
   * Restores the locations when a pass over the body of a control operator begins: if the operator
   * is the gradient of a loop, its step arenas are as they were when the iteration ended.
   *
   * @param set sets the location of a variable's value
   */
  void startPass(int head, Setter set) {
    int forward = savedScopes.forwardHead(head);
    List<Integer> kept = forward < 0 ? null : variables.get(nodes.body(forward));
    List<Integer> before = forward < 0 ? null : values.get(nodes.body(forward));
    for (int i = 0; kept != null && before != null && i < kept.size(); i++) {
      set.set(kept.get(i), before.get(i));
    }
  }

  /** Sets the location of a variable's value. */
  interface Setter {
    void set(int variable, int value);
  }
}
