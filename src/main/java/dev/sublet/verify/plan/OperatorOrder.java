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
 * Which nodes have surely run when a node runs, if an executor keeps nothing but the data
 * dependences among the operators of each block: two operators that access a variable, one of them
 * writing, run in the order in which they are listed. A control operator accesses what its body
 * does; what a runtime only derives from names orders nothing, as an executor need not see it.
 *
 * <p>A set of predecessors for each operator: n²/8 bytes for n operators of a block at most, and
 * O(dependences × n/64) to build.
 */
final class OperatorOrder {

  private static final int NONE = -1;

  private final NodeOrder nodes;

  /** The head of the control operator whose body holds a node, or -1. */
  private final int[] holders;

  /** By node that is no exit: the nodes of its block, heads for control operators, before it. */
  private final List<BitSet> predecessors = new ArrayList<>();

  /** By block and variable, as {@code (holder + 1) << 32 | variable}: who uses it at present. */
  private final Map<Long, Users> users = new HashMap<>();

  private static final class Users {
    int writer = NONE;
    final IntList readers = new IntList();
  }

  private OperatorOrder(NodeOrder nodes) {
    this.nodes = nodes;
    this.holders = new int[nodes.nodeCount()];
  }

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
            // What is fed is handed over by the operator: it comes before whoever reads it.
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

  /** An access by a node and by every control operator around it. */
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

  /** From the first node to the last: the direct predecessors, and theirs. */
  private void close() {
    for (int node = 0; node < holders.length; node++) {
      BitSet all = predecessors.get(node);
      BitSet direct = (BitSet) all.clone();
      for (int p = direct.nextSetBit(0); p >= 0; p = direct.nextSetBit(p + 1)) {
        all.or(predecessors.get(p));
      }
    }
  }

  /** Whether one node has surely run when the other one runs. O(nesting depth). */
  boolean before(int first, int second) {
    if (first >= second) {
      return false;
    }
    int a = nodes.isExit(first) ? nodes.headOf(first) : first;
    int b = nodes.isExit(second) ? nodes.headOf(second) : second;
    while (holders[a] != holders[b]) {
      // Of two control operators, the one that comes later does not hold the other one.
      if (holders[a] > holders[b]) {
        a = holders[a];
      } else {
        b = holders[b];
      }
    }
    // Else the two are of one control operator: its head, then its body, then its exit.
    return a == b || predecessors.get(b).get(a);
  }
}
