package dev.sublet.verify.graph;

import dev.sublet.diag.Location;

/**
 * Runs a program over an abstract state: a straight-line node once; a branch once, merged with the
 * state that skips it; a loop until the state at its head no longer changes.
 *
 * <pre>
 *   state at the head: {x in slot 0}; at the end of the body: {x in slot 1}
 *   they differ, so the head's state becomes {x unknown} and the body runs again
 * </pre>
 *
 * <p>Each further pass over a loop only weakens the state at its head, so the run ends. A budget of
 * steps bounds the cost of contrived nests of loops. O(nodes × nesting) for ordinary programs.
 */
public abstract class Interpreter {

  private static final long STEPS_PER_NODE = 64;
  private static final long MINIMUM_BUDGET = 4_000_000;

  /** The number of budgets after which the run gives up; after the first one it is less precise. */
  private static final long HARD_LIMIT = 4;

  protected final NodeOrder nodes;
  protected final Violations violations;
  private final IntList violationMarks = new IntList();
  private final long budget;
  private long steps;

  /** Creates an interpreter of these nodes, which reports to these violations. */
  protected Interpreter(NodeOrder nodes, Violations violations) {
    this.nodes = nodes;
    this.violations = violations;
    this.budget = Math.max(MINIMUM_BUDGET, STEPS_PER_NODE * nodes.nodeCount());
  }

  /** Runs the program from start to end and adds the violations it finds. */
  public final void run() {
    start();
    int node = 0;
    while (node < nodes.nodeCount()) {
      steps++;
      if (steps > HARD_LIMIT * budget) {
        violations.add(
            Location.nowhere(),
            "the loops are nested too intricately to be verified in bounded time");
        return;
      }
      if (nodes.isHead(node)) {
        enter(node);
        node++;
      } else if (nodes.isExit(node)) {
        node = leave(node);
      } else {
        operation(node);
        node++;
      }
    }
    finish();
  }

  private void enter(int head) {
    enterControl(head);
    violationMarks.add(violations.mark());
    startPass(head);
  }

  private int leave(int exit) {
    int head = nodes.headOf(exit);
    endPass(exit);
    if (nodes.control(head).isLoop() && nextPhase(head)) {
      startPass(head);
      return head + 1;
    }
    if (nodes.control(head).isLoop() && weakenHead(head)) {
      violations.rewind(violationMarks.get(violationMarks.size() - 1));
      startPass(head);
      return head + 1;
    }
    violationMarks.truncate(violationMarks.size() - 1);
    exitControl(exit);
    return exit + 1;
  }

  /** Whether the budget is used up, so that the analysis should trade precision for speed. */
  protected final boolean isOverBudget() {
    return steps > budget;
  }

  /** Sets up the state at the program's first point. */
  protected abstract void start();

  /** Applies a straight-line or opaque node. */
  protected abstract void operation(int node);

  /** Reaches a control operator from outside: the locals of its body become undefined. */
  protected abstract void enterControl(int head);

  /** Passes the head and enters the body, for the first time or again. */
  protected abstract void startPass(int head);

  /** Reaches the end of the body. */
  protected abstract void endPass(int exit);

  /**
   * Whether the loop body whose end was reached is to run in another phase before the state is
   * compared. If so, the state becomes that of the head in this phase.
   */
  protected boolean nextPhase(int head) {
    return false;
  }

  /**
   * Compares the state at a loop's end with the state with which its head was run. Returns false if
   * the end implies the head's state. Otherwise replaces the head's state by the common part of
   * both and returns true.
   */
  protected abstract boolean weakenHead(int head);

  /** Leaves a control operator: after a branch, or with the state at a loop's head. */
  protected abstract void exitControl(int exit);

  /** Checks the state at the program's end. */
  protected abstract void finish();
}
