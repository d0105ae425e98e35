package dev.sublet.offset.order;

import dev.sublet.cfg.AccessTable;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.liveness.LiveRanges;
import dev.sublet.liveness.Liveness;
import dev.sublet.plan.ExecutionOrder;
import dev.sublet.program.Variable;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The order of accesses: whether the accesses of one web surely come before those of another one,
 * in the order in which the operators may run. Under the sequential order the points of the live
 * ranges suffice, so every question is answered with yes.
 */
public final class AccessOrder {

  private final @Nullable DependenceOrder order;
  private final ExclusiveNodes exclusive;

  /** By web: the nodes that access it, ascending, in compressed rows; empty if sequential. */
  private final int[] starts;

  private final int[] nodes;

  private AccessOrder(
      @Nullable DependenceOrder order, ExclusiveNodes exclusive, int[] starts, int[] nodes) {
    this.order = order;
    this.exclusive = exclusive;
    this.starts = starts;
    this.nodes = nodes;
  }

  /** Finds the order. O(accesses × log) and the cost of {@link DependenceOrder}. */
  public static AccessOrder of(ExecutionOrder execution, Liveness liveness, DiagnosticLog log) {
    ControlFlowGraph graph = liveness.graph();
    ExclusiveNodes exclusive = new ExclusiveNodes(graph);
    if (execution == ExecutionOrder.SEQUENTIAL) {
      return new AccessOrder(null, exclusive, new int[0], new int[0]);
    }
    int webs = liveness.ranges().webCount();
    int[] starts = new int[webs + 1];
    int[] nodes = new int[64];
    int count = 0;
    for (Variable variable : graph.program().variables()) {
      int v = variable.index();
      for (int web = liveness.ranges().firstWeb(v); web < liveness.ranges().endWeb(v); web++) {
        starts[web] = count;
        for (int i = graph.accesses().begin(v); i < graph.accesses().end(v); i++) {
          if (isAccess(liveness, i, web)) {
            nodes = count == nodes.length ? Arrays.copyOf(nodes, 2 * count) : nodes;
            nodes[count++] = graph.accesses().node(i);
          }
        }
      }
    }
    starts[webs] = count;
    return new AccessOrder(
        DependenceOrder.of(graph, log), exclusive, starts, Arrays.copyOf(nodes, count));
  }

  /**
   * Whether an access belongs to a web. Control flow may access a variable at either point of a
   * head or an exit.
   */
  private static boolean isAccess(Liveness liveness, int access, int web) {
    ControlFlowGraph graph = liveness.graph();
    LiveRanges ranges = liveness.ranges();
    AccessTable accesses = graph.accesses();
    int node = accesses.node(access);
    boolean byControl = !graph.isKernel(node);
    return ((accesses.reads(access) || byControl) && ranges.contains(web, 2 * node))
        || ((accesses.writes(access) || byControl) && ranges.contains(web, 2 * node + 1));
  }

  /** Whether operators may run at the same time. */
  public boolean isParallel() {
    return order != null;
  }

  /** The index of a web's first access. */
  int begin(int web) {
    return starts[web];
  }

  /** The index after a web's last access. */
  int end(int web) {
    return starts[web + 1];
  }

  /** The node of an access. */
  int node(int access) {
    return nodes[access];
  }

  /** Whether one node surely runs before another one. */
  boolean before(int first, int second) {
    return order == null || order.before(first, second);
  }

  /** Whether two nodes are in exclusive branches, so that at most one of them runs. */
  boolean areExclusive(int a, int b) {
    return exclusive.areExclusive(a, b);
  }

  /**
   * Whether the accesses of one of two webs surely come before those of the other one, as far as
   * both happen. O(product of accesses).
   */
  public boolean areApart(int a, int b) {
    return order == null || isDone(a, b) || isDone(b, a);
  }

  private boolean isDone(int web, int before) {
    for (int i = begin(web); i < end(web); i++) {
      for (int j = begin(before); j < end(before); j++) {
        if (!before(nodes[i], nodes[j]) && !areExclusive(nodes[i], nodes[j])) {
          return false;
        }
      }
    }
    return true;
  }

  /** Whether a node surely runs before all accesses of a web, or after all of them. */
  public boolean isApart(int node, int web) {
    return order == null || precedesAll(node, web, -1) || followsAll(node, web, -1);
  }

  /** Whether an operator that reads one web last may write another in its bytes. */
  public boolean mayHandOver(int from, int to, int node) {
    return order == null || (followsAll(node, from, node) && precedesAll(node, to, node));
  }

  private boolean precedesAll(int node, int web, int except) {
    for (int i = begin(web); i < end(web); i++) {
      if (nodes[i] != except && !before(node, nodes[i])) {
        return false;
      }
    }
    return true;
  }

  private boolean followsAll(int node, int web, int except) {
    for (int i = begin(web); i < end(web); i++) {
      if (nodes[i] != except && !before(nodes[i], node)) {
        return false;
      }
    }
    return true;
  }
}
