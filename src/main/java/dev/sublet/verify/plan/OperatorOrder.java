package dev.sublet.verify.plan;

import dev.sublet.program.Program;
import dev.sublet.verify.graph.DefUses;
import dev.sublet.verify.graph.IntList;
import dev.sublet.verify.graph.NodeOrder;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The order of the operators under an executor that keeps only the data dependences within each
 * block: two operators that access the same variable, at least one of them by a write, run in the
 * order of the program.
 *
 * <pre>
 *   0 a = relu(x)   1 b = tanh(x)   2 c = add(a, b)      0 before 2, 1 before 2; 0 and 1 unordered
 * </pre>
 *
 * <p>A control operator makes the accesses of its body. Accesses that a runtime only derives from
 * names do not count, because an executor need not be aware of them.
 *
 * <p>Each operator has a set of its predecessors: at most n²/8 bytes for n operators of a block,
 * and O(dependences × n/64) to build.
 */
final class OperatorOrder {

  private static final int NONE = -1;

  private final NodeOrder nodes;

  /** By node: the head of the control operator whose body contains the node, or -1. */
  private final int[] holders;

  /**
   * By node that is not an exit: the earlier nodes of its block on which it depends; control
   * operators are represented by their heads.
   */
  private final List<BitSet> predecessors = new ArrayList<>();

  /**
   * By block and variable, as {@code (holder + 1) << 32 | variable}: the last writer and the
   * readers since then.
   */
  private final Map<Long, Users> users = new HashMap<>();

  private static final class Users {
    int writer = NONE;
    final IntList readers = new IntList();
  }

  private OperatorOrder(NodeOrder nodes) {
    this.nodes = nodes;
    this.holders = new int[nodes.nodeCount()];
  }

  /** Finds the dependences of all operators. */
  static OperatorOrder of(NodeOrder nodes, DefUses accesses) {
    OperatorOrder order = new OperatorOrder(nodes);
    order.findHolders();
    order.collect(accesses);
    order.close();
    return order;
  }

  private void findHolders() {
    int holder = NONE;
    for (int node = 0; node < holders.length; node++) {
      if (nodes.isExit(node)) {
        holder = holders[nodes.headOf(node)];
      }
      holders[node] = holder;
      predecessors.add(new BitSet());
      if (nodes.isHead(node)) {
        holder = node;
      }
    }
  }

  private void collect(DefUses accesses) {
    DefUses.Visitor visitor =
        new DefUses.Visitor() {
          @Override
          public void read(int node, int variable) {
            if (nodes.isExit(node)
                || (nodes.isHead(node) && nodes.operation(node).countInputs(variable) == 0)) {
              return;
            }
            // A feed operator provides its output, so it runs before the readers.
            boolean hands = nodes.operation(node).type().equals("feed");
            access(node, variable, hands && nodes.operation(node).countOutputs(variable) > 0);
          }

          @Override
          public void write(int node, int variable, boolean kills) {
            if (!nodes.isHead(node)
                && (!nodes.isExit(node) || nodes.operation(node).countOutputs(variable) > 0)) {
              access(node, variable, /* writes= */ true);
            }
          }
        };
    for (int node = 0; node < nodes.nodeCount(); node++) {
      accesses.visit(node, visitor);
    }
    users.clear();
  }

  /** Records an access by a node and by every control operator around it. */
  private void access(int node, int variable, boolean writes) {
    if (variable == Program.NO_VARIABLE) {
      return;
    }
    int at = nodes.isExit(node) ? nodes.headOf(node) : node;
    for (; at != NONE; at = holders[at]) {
      long key = (long) (holders[at] + 1) << 32 | variable;
      Users present = users.computeIfAbsent(key, k -> new Users());
      add(present.writer, at);
      if (!writes) {
        present.readers.add(at);
        continue;
      }
      for (int i = 0; i < present.readers.size(); i++) {
        add(present.readers.get(i), at);
      }
      present.readers.truncate(0);
      present.writer = at;
    }
  }

  private void add(int before, int node) {
    if (before != NONE && before != node) {
      predecessors.get(node).set(before);
    }
  }

  /** Adds the predecessors of the predecessors, from the first node to the last. */
  private void close() {
    for (int node = 0; node < holders.length; node++) {
      BitSet all = predecessors.get(node);
      BitSet direct = (BitSet) all.clone();
      for (int p = direct.nextSetBit(0); p >= 0; p = direct.nextSetBit(p + 1)) {
        all.or(predecessors.get(p));
      }
    }
  }

  /** Whether the first node has always run when the second one runs. O(nesting depth). */
  boolean before(int first, int second) {
    if (first >= second) {
      return false;
    }
    int a = nodes.isExit(first) ? nodes.headOf(first) : first;
    int b = nodes.isExit(second) ? nodes.headOf(second) : second;
    while (holders[a] != holders[b]) {
      // Of two control operators, the later one does not contain the earlier one.
      if (holders[a] > holders[b]) {
        a = holders[a];
      } else {
        b = holders[b];
      }
    }
    // If a == b, both nodes belong to one control operator: its head, its body or its exit, in this
    // order.
    return a == b || predecessors.get(b).get(a);
  }
}
