package dev.sublet.liveness;

/**
 * A bit-vector problem of up to 64 independent facts, joined by "on some path".
 *
 * <p>Nodes are numbered so that every edge but the back edges of loops ascends, and edges are
 * reducible. A node has at most two successors; {@link #nodeCount} as a successor is the end.
 */
interface DataflowProblem {

  /** Which way facts flow. */
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
