package dev.sublet.liveness;

/**
 * A bit-vector dataflow problem of up to 64 independent facts. A fact holds at a point if it holds
 * on some path through that point (the join is the union).
 *
 * <p>Preconditions, which are not checked: the graph is reducible, and every edge except the back
 * edges of loops goes from a smaller to a larger node number. A node has at most two successors.
 * The successor {@link #nodeCount} is the end of the program.
 */
interface DataflowProblem {

  /** The direction in which facts flow. */
  enum Direction {
    /** Against the edges: {@code before = gen ∪ (after − kill)}. */
    BACKWARD,
    /** Along the edges: {@code after = gen ∪ (before − kill)}. */
    FORWARD
  }

  Direction direction();

  int nodeCount();

  /** The first successor. */
  int successor(int node);

  /** The second successor, or -1. */
  int secondSuccessor(int node);

  /** The facts that the node makes true. */
  long gen(int node);

  /** The facts that the node makes false. */
  long kill(int node);

  /** The facts that hold at the end (backward) or at the start (forward). */
  long boundary();
}
