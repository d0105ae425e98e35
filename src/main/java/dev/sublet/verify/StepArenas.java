package dev.sublet.verify;

import dev.sublet.operator.ControlKind;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.Arena;

/**
 * What may be in an arena of which each iteration of a loop has one.
 *
 * <p>Such an arena is made with the scope of the iteration, and lasts until the gradient operator
 * has visited the scope. So a variable may be in it if whatever runs with the variable does so
 * inside the scope, in the body or in the gradient's body; and a variable that lasts from one to
 * the other must be, in the arena of the innermost loop whose iterations each have one. That its
 * bytes last too is for {@link KeptValues} to tell. O(nesting) a question.
 */
final class StepArenas {

  private static final int NONE = -1;

  private final Walk walk;
  private final Training training;

  StepArenas(Walk walk, Training training) {
    this.walk = walk;
    this.training = training;
  }

  /** What is wrong with an arena's being a step arena; empty if nothing is. */
  String objection(Arena arena) {
    if (arena.pool().isPresent()) {
      return "each iteration of a loop has one, so it cannot be in a pool";
    }
    int forward = forwardHead(arena);
    if (forward == NONE) {
      return "block " + arena.stepOfBlock() + " is the body of no loop";
    }
    return gradientHead(forward) == NONE
        ? "the iterations of block " + arena.stepOfBlock() + " have not one gradient operator"
        : "";
  }

  /**
   * What is wrong with a variable's being in an arena, step arena or not; empty if nothing is.
   *
   * @param arena one that nothing is wrong with
   */
  String objection(Allocation allocation, Arena arena, int variable) {
    int block = walk.program().variable(variable).block();
    boolean hasOneEach = training.perIteration().get(variable);
    if (!arena.isStep()) {
      return hasOneEach ? "has a copy in each iteration of its loop and may not be allocated" : "";
    }
    int forward = forwardHead(arena);
    int gradient = gradientHead(forward);
    if (!isInside(block, forward) && !isInside(block, gradient)) {
      return "is not declared inside of block " + arena.stepOfBlock() + " or its gradient";
    }
    if (hasOneEach && innermostKeptLoop(block) != forward) {
      return "has more copies than its arena, which is of block " + arena.stepOfBlock();
    }
    if (training.hidden().get(variable)) {
      return "may be replaced by a copy of an input of its name and may not be allocated";
    }
    return allocation.views().isPresent() ? "is in a step arena, but moves" : "";
  }

  private int forwardHead(Arena arena) {
    int block = arena.stepOfBlock();
    int head = 0 < block && block < walk.program().blocks().size() ? walk.headOfBlock(block) : NONE;
    return head != NONE && walk.control(head) == ControlKind.WHILE ? head : NONE;
  }

  /** The only gradient operator that visits a loop's iterations, or {@link #NONE}. */
  private int gradientHead(int forward) {
    int found = NONE;
    for (int node = 0; node < walk.nodeCount(); node++) {
      if (walk.isHead(node) && training.forwardHead(node) == forward) {
        if (found != NONE) {
          return NONE;
        }
        found = node;
      }
    }
    return found;
  }

  /** Whether a block runs inside of a head's body, or is it. */
  private boolean isInside(int block, int head) {
    int own = walk.headOfBlock(block);
    return head <= own && own < walk.exitOf(head);
  }

  private int innermostKeptLoop(int block) {
    int innermost = NONE;
    for (int head = 0; head <= walk.headOfBlock(block); head++) {
      if (walk.isHead(head)
          && isInside(block, head)
          && walk.control(head).isLoop()
          && !walk.control(head).isGradient()
          && training.isKept(walk.body(head))) {
        innermost = head;
      }
    }
    return innermost;
  }
}
