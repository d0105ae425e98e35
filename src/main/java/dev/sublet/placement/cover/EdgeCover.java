package dev.sublet.placement.cover;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * Computes W, the least number of directed paths that cover every edge of an acyclic graph. Paths
 * may share nodes and edges.
 *
 * <p>W is a minimum flow with lower bound 1 on every edge, from a virtual source to a virtual sink
 * that are connected to all nodes. One unit on each edge is a feasible flow: a node with more edges
 * out than in begins paths, and one with more edges in than out ends paths. The number of paths is
 * the sum of the surplus of outgoing edges. Each unit of flow from a node that ends paths to a node
 * that begins paths, along edges of unlimited capacity, joins two paths into one. So W is that sum
 * less the maximum flow. The cost is that of {@link MaximumFlow}.
 *
 * <p>Source: Ntafos and Hakimi, "On path cover problems in digraphs and applications to program
 * testing", IEEE Transactions on Software Engineering 5(5), 1979; seed 004 for W.
 */
public final class EdgeCover {

  private EdgeCover() {}

  /**
   * Returns the least number of paths; 0 without edges.
   *
   * @param from the node at which each edge begins
   * @param to the node at which each edge ends, which has a greater number
   */
  public static int countPaths(int nodes, int[] from, int[] to) {
    int[] surplus = new int[nodes];
    MaximumFlow network = new MaximumFlow(nodes + 2);
    for (int edge = 0; edge < from.length; edge++) {
      checkArgument(from[edge] < to[edge], "edge %s to %s", from[edge], to[edge]);
      surplus[from[edge]]++;
      surplus[to[edge]]--;
      network.addArc(from[edge], to[edge], Integer.MAX_VALUE);
    }
    int source = nodes;
    int sink = nodes + 1;
    long begun = 0;
    for (int node = 0; node < nodes; node++) {
      if (surplus[node] > 0) {
        begun += surplus[node];
        network.addArc(node, sink, surplus[node]);
      } else if (surplus[node] < 0) {
        network.addArc(source, node, -surplus[node]);
      }
    }
    return Math.toIntExact(begun - network.send(source, sink));
  }
}
