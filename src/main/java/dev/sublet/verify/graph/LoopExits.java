package dev.sublet.verify.graph;

import dev.sublet.operator.spec.ControlKind;
import dev.sublet.program.Block;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;
import java.util.Arrays;

/**
 * The conditional blocks whose skipping ends a loop, as in unrolled loops.
 *
 * <pre>
 *   while(c) { …; conditional_block(c) { …; conditional_block(c) { … } } }
 * </pre>
 *
 * <p>No operator follows such a block up to the loop's head, and the head then tests the value for
 * which the block was skipped. Both must have this value as their only condition. The block must
 * have {@code is_scalar_condition}, because without it Paddle tests the inputs' sizes. Blocks and
 * loops with saved scopes are left out. O(nodes).
 */
public final class LoopExits {

  private final NodeOrder nodes;

  /** By head of a conditional block: the head of the loop that ends if it is skipped, or -1. */
  private final int[] loops;

  private LoopExits(NodeOrder nodes) {
    this.nodes = nodes;
    this.loops = new int[nodes.nodeCount()];
    Arrays.fill(loops, -1);
  }

  /** Finds the conditional blocks. O(nodes). */
  public static LoopExits of(NodeOrder nodes, SavedScopes savedScopes) {
    LoopExits exits = new LoopExits(nodes);
    for (int node = 0; node < nodes.nodeCount(); node++) {
      if (nodes.isHead(node)
          && nodes.control(node) == ControlKind.CONDITIONAL
          && !savedScopes.isKept(nodes.body(node))) {
        exits.loops[node] = exits.find(node, savedScopes);
      }
    }
    return exits;
  }

  private int find(int branch, SavedScopes savedScopes) {
    Operation operation = nodes.operation(branch);
    Block block = nodes.program().block(operation.block());
    int around = nodes.headOfBlock(block.index());
    if (around < 0 || operation.index() + 1 < block.operations().size()) {
      return -1;
    }
    boolean isLoop =
        nodes.control(around) == ControlKind.WHILE && !savedScopes.isKept(block.index());
    int loop = isLoop ? around : loops[around];
    int condition = DefUseIndex.only(operation.inputSlot("Cond"));
    boolean decides =
        loop >= 0
            && condition != Program.NO_VARIABLE
            && condition == condition(nodes.operation(loop))
            && operation.flag("is_scalar_condition");
    return decides ? loop : -1;
  }

  /** Returns the condition of a loop, or {@link Program#NO_VARIABLE}. */
  public static int condition(Operation loop) {
    return DefUseIndex.only(loop.inputSlot("Condition"));
  }

  /** Returns the head of the loop that ends if the conditional block is skipped, or -1. */
  public int loop(int head) {
    return loops[head];
  }

  /** Returns the head of the operator whose body contains the operator of the given head. */
  public int around(int head) {
    return nodes.headOfBlock(nodes.operation(head).block());
  }

  /**
   * Whether a variable is undefined after a loop, because each run of the body that declares it
   * starts without a value.
   */
  public boolean isGoneBehind(int loop, Variable variable) {
    int home = nodes.headOfBlock(variable.block());
    return loop <= home && home < nodes.exitOf(loop) && !variable.isPersistable();
  }
}
