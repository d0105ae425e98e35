package dev.sublet.verify.plan;

import dev.sublet.operator.spec.ControlKind;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.Arena;
import dev.sublet.verify.graph.NodeOrder;
import dev.sublet.verify.graph.SavedScopes;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The rules for step arenas: arenas of which each iteration of a loop has its own.
 *
 * <p>A step arena is created with the scope of the iteration and lasts until the gradient operator
 * has visited the scope:
 *
 * <pre>
 *   while      { h = tanh(x) }             iteration i writes h in its own arena
 *   while_grad { dx = tanh_grad(h, dh) }   reads h there; afterwards the arena is freed
 * </pre>
 *
 * <p>So a variable may be in the arena if all operators that access it run inside the scope, in the
 * body or in the gradient's body. A variable that lasts from the body to the gradient must be in
 * the arena of the innermost loop with saved scopes. {@link KeptValues} checks that its bytes last
 * too. O(1) per query.
 */
final class StepArenas {

  private static final int NONE = -1;

  private final NodeOrder nodes;
  private final SavedScopes savedScopes;

  /** By forward head: the head of its only gradient, or {@link #NONE} if there are several. */
  private final Map<Integer, Integer> gradientHeads = new HashMap<>();

  /** By block: the head of the innermost enclosing loop with saved scopes, or {@link #NONE}. */
  private final int[] keptLoops;

  /** Finds the loops with saved scopes and their gradients. O(nodes). */
  StepArenas(NodeOrder nodes, SavedScopes savedScopes) {
    this.nodes = nodes;
    this.savedScopes = savedScopes;
    this.keptLoops = new int[nodes.program().blocks().size()];
    Arrays.fill(keptLoops, NONE);
    ArrayDeque<Integer> around = new ArrayDeque<>();
    for (int node = 0; node < nodes.nodeCount(); node++) {
      if (nodes.isHead(node)) {
        int forward = savedScopes.forwardHead(node);
        if (forward >= 0) {
          gradientHeads.merge(forward, node, (first, second) -> NONE);
        }
        boolean isKept =
            nodes.control(node).isLoop()
                && !nodes.control(node).isGradient()
                && savedScopes.isKept(nodes.body(node));
        int outer = around.isEmpty() ? NONE : around.peek();
        around.push(isKept ? node : outer);
        keptLoops[nodes.body(node)] = around.element();
      } else if (nodes.isExit(node)) {
        around.pop();
      }
    }
  }

  /** Returns the reason why an arena cannot be a step arena; empty if it can. */
  Optional<String> objection(Arena arena) {
    if (arena.pool().isPresent()) {
      return Optional.of("each iteration of a loop has one, so it cannot be in a pool");
    }
    int forward = forwardHead(arena);
    if (forward == NONE) {
      return Optional.of("block " + arena.stepOfBlock() + " is the body of no loop");
    }
    return gradientHead(forward) == NONE
        ? Optional.of(
            "the iterations of block " + arena.stepOfBlock() + " have not one gradient operator")
        : Optional.empty();
  }

  /**
   * Returns the reason why a variable cannot be in an arena, step arena or not; empty if it can.
   *
   * @param arena an arena to which {@link #objection(Arena)} does not object
   */
  Optional<String> objection(Allocation allocation, Arena arena, int variable) {
    int block = nodes.program().variable(variable).block();
    boolean hasOneEach = savedScopes.perIteration().get(variable);
    if (!arena.isStep()) {
      return hasOneEach
          ? Optional.of("has a copy in each iteration of its loop and may not be allocated")
          : Optional.empty();
    }
    int forward = forwardHead(arena);
    int gradient = gradientHead(forward);
    if (!isInside(block, forward) && !isInside(block, gradient)) {
      return Optional.of(
          "is not declared inside of block " + arena.stepOfBlock() + " or its gradient");
    }
    if (hasOneEach && keptLoops[block] != forward) {
      return Optional.of(
          "has more copies than its arena, which is of block " + arena.stepOfBlock());
    }
    if (savedScopes.hidden().get(variable)) {
      return Optional.of(
          "may be replaced by a copy of an input of its name and may not be allocated");
    }
    return allocation.views().map(view -> "is in a step arena, but moves");
  }

  private int forwardHead(Arena arena) {
    int block = arena.stepOfBlock();
    int head =
        0 < block && block < nodes.program().blocks().size() ? nodes.headOfBlock(block) : NONE;
    return head != NONE && nodes.control(head) == ControlKind.WHILE ? head : NONE;
  }

  private int gradientHead(int forward) {
    return gradientHeads.getOrDefault(forward, NONE);
  }

  /** Whether a block is a head's body or runs inside it. */
  private boolean isInside(int block, int head) {
    int own = nodes.headOfBlock(block);
    return head <= own && own < nodes.exitOf(head);
  }
}
