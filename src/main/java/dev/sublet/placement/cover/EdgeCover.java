package dev.sublet.placement.cover;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * W: the fewest directed paths that cover every edge of an acyclic graph. Paths may share nodes and
 * edges.
 *
 * <p>A minimum flow with lower bound 1 at every edge, from a virtual source to a virtual sink that
 * all nodes are connected to. One unit at each edge is a feasible flow: a node with more edges out
 * than in begins paths, one with more in than out ends some, together as many as the sum of the
 * former. Whatever can flow from nodes that end paths to nodes that begin some, along edges that
 * take any number of paths, joins two paths into one; so W is that sum less the maximum flow. The
 * cost is that of {@link MaximumFlow}.
 *
 * <p>Source: Ntafos and Hakimi, "On path cover problems in digraphs and applications to program
 * testing", IEEE Transactions on Software Engineering 5(5), 1979; seed 004 for W.
 */
public final class EdgeCover {

  private EdgeCover() {}

  /**
   * The fewest paths; 0 without edges.
   *
   * @param from the node at which each edge begins
   * @param to the node at which it ends, which has a greater number
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
