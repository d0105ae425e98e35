package dev.sublet.verify.plan;

import dev.sublet.operator.OperatorCatalog;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.verify.graph.NodeOrder;

/**
 * The groups of variables that operators such as {@code share_data} make one buffer at run time: a
 * union-find over all such operators.
 */
final class BufferGroups {

  private final int[] parents;

  private BufferGroups(int variables) {
    this.parents = new int[variables];
    for (int v = 0; v < variables; v++) {
      parents[v] = v;
    }
  }

  /** Unites the arguments of all operators that share buffers. */
  static BufferGroups of(NodeOrder nodes, OperatorCatalog catalog) {
    BufferGroups groups = new BufferGroups(nodes.program().variableCount());
    for (int node = 0; node < nodes.nodeCount(); node++) {
      Operation operation = nodes.operation(node);
      if (catalog.lookup(operation.type()).aliases(nodes.program().version())) {
        groups.uniteArguments(operation);
      }
    }
    return groups;
  }

  private void uniteArguments(Operation operation) {
    int first = Program.NO_VARIABLE;
    for (int i = 0; i < operation.inputCount() + operation.outputCount(); i++) {
      int v =
          i < operation.inputCount()
              ? operation.input(i)
              : operation.output(i - operation.inputCount());
      if (v != Program.NO_VARIABLE && first == Program.NO_VARIABLE) {
        first = v;
      } else if (v != Program.NO_VARIABLE) {
        parents[find(v)] = find(first);
      }
    }
  }

  /** Returns one representative of the variable's group. */
  int find(int v) {
    int root = v;
    while (parents[root] != root) {
      parents[root] = parents[parents[root]]; // halves the path
      root = parents[root];
    }
    return root;
  }

  /** Whether two variables are one buffer at run time. */
  boolean areSame(int a, int b) {
    return find(a) == find(b);
  }
}
