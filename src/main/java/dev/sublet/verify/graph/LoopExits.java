package dev.sublet.verify.graph;

import dev.sublet.operator.spec.ControlKind;
import dev.sublet.program.Block;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;
import java.util.Arrays;

/**
 * The conditional blocks that end a loop by being skipped, as unrolled loops have them.
 *
 * <pre>
 *   while(c) { …; conditional_block(c) { …; conditional_block(c) { … } } }
 * </pre>
 *
 * <p>Nothing follows such a block up to the loop's head, which then looks at the value that the
 * block was skipped for. Both must have it as their only condition, and the block {@code
 * is_scalar_condition}: without it Paddle looks at the inputs' sizes. Scopes that a gradient walks
 * are left alone. O(nodes).
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

  /** The variable that a loop looks at before each iteration. */
  public static int condition(Operation loop) {
    return DefUseIndex.only(loop.inputSlot("Condition"));
  }

  /** The head of the loop that ends if the conditional block is skipped, or -1. */
  public int loop(int head) {
    return loops[head];
  }

  /** The head of the operator whose body a head's operator is in. */
  public int around(int head) {
    return nodes.headOfBlock(nodes.operation(head).block());
  }

  /**
   * Whether a variable is gone when a loop has ended: each run of the body that declares it begins
   * without a value.
   */
  public boolean isGoneBehind(int loop, Variable variable) {
    int home = nodes.headOfBlock(variable.block());
    return loop <= home && home < nodes.exitOf(loop) && !variable.isPersistable();
  }
}
