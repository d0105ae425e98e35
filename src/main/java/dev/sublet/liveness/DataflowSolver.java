package dev.sublet.liveness;

/**
 * Iterates the equations of a {@link DataflowProblem} to their least fixpoint.
 *
 * <p>Sweeps over all nodes in the direction of the flow until a sweep changes no fact that a back
 * edge carries. Node numbers are a depth-first order of a reducible graph, so loops of nesting
 * depth d need at most d + 2 sweeps (Kam and Ullman 1976); without loops, one sweep is enough.
 * O(nodes × (depth + 2)).
 */
final class DataflowSolver {

  private DataflowSolver() {}

  /** Solves a problem into a result and replaces the earlier content of the result. */
  static void solve(DataflowProblem problem, DataflowResult result) {
    result.reset(problem.nodeCount());
    boolean again = true;
    while (again) {
      again =
          switch (problem.direction()) {
            case BACKWARD -> sweepBackward(problem, result);
            case FORWARD -> sweepForward(problem, result);
          };
    }
  }

  /** Sweeps once; returns whether a fact has changed after a back edge had read it. */
  private static boolean sweepBackward(DataflowProblem problem, DataflowResult result) {
    int count = problem.nodeCount();
    for (int node = count - 1; node >= 0; node--) {
      long after = backwardFacts(problem, result, problem.successor(node));
      if (problem.secondSuccessor(node) >= 0) {
        after |= backwardFacts(problem, result, problem.secondSuccessor(node));
      }
      result.setAfter(node, after);
      result.setBefore(node, problem.gen(node) | (after & ~problem.kill(node)));
    }
    for (int node = 0; node < count; node++) {
      int successor = problem.successor(node);
      if (successor <= node && (result.before(successor) & ~result.after(node)) != 0) {
        return true;
      }
    }
    return false;
  }

  private static long backwardFacts(DataflowProblem problem, DataflowResult result, int node) {
    return node == problem.nodeCount() ? problem.boundary() : result.before(node);
  }

  private static boolean sweepForward(DataflowProblem problem, DataflowResult result) {
    int count = problem.nodeCount();
    boolean again = false;
    if (count > 0) {
      result.setBefore(0, result.before(0) | problem.boundary());
    }
    for (int node = 0; node < count; node++) {
      long after = problem.gen(node) | (result.before(node) & ~problem.kill(node));
      result.setAfter(node, after);
      again |= passForward(problem, result, node, problem.successor(node));
      if (problem.secondSuccessor(node) >= 0) {
        again |= passForward(problem, result, node, problem.secondSuccessor(node));
      }
    }
    return again;
  }

  private static boolean passForward(
      DataflowProblem problem, DataflowResult result, int node, int successor) {
    if (successor == problem.nodeCount()) {
      return false;
    }
    long joined = result.before(successor) | result.after(node);
    boolean missed = successor <= node && joined != result.before(successor);
    result.setBefore(successor, joined);
    return missed;
  }
}
