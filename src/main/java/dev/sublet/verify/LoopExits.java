package dev.sublet.verify;

import dev.sublet.operator.ControlKind;
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
final class LoopExits {

  private final NodeOrder walk;

  /** By head of a conditional block: the head of the loop that ends if it is skipped, or -1. */
  private final int[] loops;

  private LoopExits(NodeOrder walk) {
    this.walk = walk;
    this.loops = new int[walk.nodeCount()];
    Arrays.fill(loops, -1);
  }

  static LoopExits of(NodeOrder walk, SavedScopes training) {
    LoopExits exits = new LoopExits(walk);
    for (int node = 0; node < walk.nodeCount(); node++) {
      if (walk.isHead(node)
          && walk.control(node) == ControlKind.CONDITIONAL
          && !training.isKept(walk.body(node))) {
        exits.loops[node] = exits.find(node, training);
      }
    }
    return exits;
  }

  private int find(int branch, SavedScopes training) {
    Operation operation = walk.operation(branch);
    Block block = walk.program().block(operation.block());
    int around = walk.headOfBlock(block.index());
    if (around < 0 || operation.index() + 1 < block.operations().size()) {
      return -1;
    }
    boolean isLoop = walk.control(around) == ControlKind.WHILE && !training.isKept(block.index());
    int loop = isLoop ? around : loops[around];
    int condition = DefUseIndex.only(operation.inputSlot("Cond"));
    boolean decides =
        loop >= 0
            && condition != Program.NO_VARIABLE
            && condition == condition(walk.operation(loop))
            && operation.flag("is_scalar_condition");
    return decides ? loop : -1;
  }

  /** The variable that a loop looks at before each iteration. */
  static int condition(Operation loop) {
    return DefUseIndex.only(loop.inputSlot("Condition"));
  }

  /** The head of the loop that ends if the conditional block is skipped, or -1. */
  int loop(int head) {
    return loops[head];
  }

  /** The head of the operator whose body a head's operator is in. */
  int around(int head) {
    return walk.headOfBlock(walk.operation(head).block());
  }

  /**
   * Whether a variable is gone when a loop has ended: each run of the body that declares it begins
   * without a value.
   */
  boolean isGoneBehind(int loop, Variable variable) {
    int home = walk.headOfBlock(variable.block());
    return loop <= home && home < walk.exitOf(loop) && !variable.isPersistable();
  }
}
