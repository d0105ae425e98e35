package dev.sublet.verify.graph;

import dev.sublet.diag.Location;

/**
 * Runs a program over an abstract state: straight-line nodes once, a branch once and then merged
 * with the state that skips it, a loop until its head's state no longer changes.
 *
 * <p>Each further pass over a loop only weakens the state at its head, so the run ends; a budget of
 * steps bounds what contrived nests of loops can cost. O(nodes × nesting) for ordinary programs.
 */
public abstract class Interpreter {

  private static final long STEPS_PER_NODE = 64;
  private static final long MINIMUM_BUDGET = 4_000_000;

  /** How many budgets are spent before the run gives up; the first makes it less precise. */
  private static final long HARD_LIMIT = 4;

  protected final NodeOrder nodes;
  protected final Violations violations;
  private final IntList violationMarks = new IntList();
  private final long budget;
  private long steps;

  /** Walks these nodes and reports to these violations. */
  protected Interpreter(NodeOrder nodes, Violations violations) {
    this.nodes = nodes;
    this.violations = violations;
    this.budget = Math.max(MINIMUM_BUDGET, STEPS_PER_NODE * nodes.nodeCount());
  }

  /** Runs the program from start to end; what is wrong goes to the violations. */
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

  /** Whether precision is to be given up for speed. */
  protected final boolean isOverBudget() {
    return steps > budget;
  }

  /** Sets the state up at the program's first point. */
  protected abstract void start();

  /** Applies a straight-line or opaque node. */
  protected abstract void operation(int node);

  /** A control operator is reached from outside: its locals become undefined. */
  protected abstract void enterControl(int head);

  /** The head is passed and the body entered, for the first time or again. */
  protected abstract void startPass(int head);

  /** The body's end is reached. */
  protected abstract void endPass(int exit);

  /**
   * Whether the body of a loop, whose end is reached, is to run in another phase before the state
   * is compared; then the state is that of the head in this phase.
   */
  protected boolean nextPhase(int head) {
    return false;
  }

  /**
   * Compares the state at a loop's end with the one that its head was run with. If it holds no
   * less, returns false. Otherwise replaces the head's state by what both have in common.
   */
  protected abstract boolean weakenHead(int head);

  /** Leaves the operator: by a branch, or with the state of a loop's head. */
  protected abstract void exitControl(int exit);

  /** Checks the state at the program's end. */
  protected abstract void finish();
}
