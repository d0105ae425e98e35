package dev.sublet.placement.cover;

import java.util.Arrays;

/**
 * A flow network, and the maximum flow between two of its nodes.
 *
 * <p>Dinic's algorithm: breadth-first levels, then augmenting paths along them, without recursion.
 * O(nodes² × arcs) in the worst case; the networks here need few phases.
 *
 * <p>Source: Dinic, "Algorithm for solution of a problem of maximum flow in a network with power
 * estimation", Soviet Mathematics Doklady 11, 1970.
 */
final class MaximumFlow {

  private final int nodes;

  /**
   * By node: the last arc added at it; -1 if none. {@link #before} links each arc to the previous
   * arc at its node.
   */
  private final int[] latest;

  private int[] before = new int[64];
  private int[] heads = new int[64];

  /** By arc: the residual capacity. An odd arc is the reverse of the even arc before it. */
  private long[] residual = new long[64];

  private int arcs;
  private final int[] level;
  private final int[] current;
  private final int[] path;

  /** Creates a network without arcs. */
  MaximumFlow(int nodes) {
    this.nodes = nodes;
    this.latest = new int[nodes];
    this.level = new int[nodes];
    this.current = new int[nodes];
    this.path = new int[nodes];
    Arrays.fill(latest, -1);
  }

  void addArc(int from, int to, long capacity) {
    if (arcs + 2 > heads.length) {
      before = Arrays.copyOf(before, 2 * arcs);
      heads = Arrays.copyOf(heads, 2 * arcs);
      residual = Arrays.copyOf(residual, 2 * arcs);
    }
    addHalf(from, to, capacity);
    addHalf(to, from, 0);
  }

  private void addHalf(int from, int to, long capacity) {
    heads[arcs] = to;
    residual[arcs] = capacity;
    before[arcs] = latest[from];
    latest[from] = arcs++;
  }

  /** Sends the maximum flow from the source to the sink and returns it. To be called once. */
  long send(int source, int sink) {
    long flow = 0;
    while (findLevels(source, sink)) {
      System.arraycopy(latest, 0, current, 0, nodes);
      flow += sendAlongLevels(source, sink);
    }
    return flow;
  }

  private boolean findLevels(int source, int sink) {
    Arrays.fill(level, -1);
    int[] queue = path;
    level[source] = 0;
    queue[0] = source;
    int tail = 1;
    for (int head = 0; head < tail; head++) {
      int node = queue[head];
      for (int arc = latest[node]; arc >= 0; arc = before[arc]) {
        if (residual[arc] > 0 && level[heads[arc]] < 0) {
          level[heads[arc]] = level[node] + 1;
          queue[tail++] = heads[arc];
        }
      }
    }
    return level[sink] >= 0;
  }

  private long sendAlongLevels(int source, int sink) {
    long flow = 0;
    int depth = 0;
    int node = source;
    while (true) {
      if (node == sink) {
        flow += sendAlongPath(depth);
        depth = 0;
        node = source;
      }
      int arc = current[node];
      while (arc >= 0 && (residual[arc] == 0 || level[heads[arc]] != level[node] + 1)) {
        arc = before[arc];
      }
      current[node] = arc;
      if (arc >= 0) {
        path[depth++] = arc;
        node = heads[arc];
      } else if (depth == 0) {
        return flow;
      } else {
        int back = path[--depth];
        node = heads[back ^ 1];
        current[node] = before[back]; // its head is a dead end for the rest of the phase
      }
    }
  }

  private long sendAlongPath(int length) {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < length; i++) {
      least = Math.min(least, residual[path[i]]);
    }
    for (int i = 0; i < length; i++) {
      residual[path[i]] -= least;
      residual[path[i] ^ 1] += least;
    }
    return least;
  }
}
