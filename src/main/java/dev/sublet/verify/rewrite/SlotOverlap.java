package dev.sublet.verify.rewrite;

import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.verify.graph.InPlaceRule;
import dev.sublet.verify.graph.NodeOrder;
import dev.sublet.verify.graph.Violations;

/**
 * Checks that a rewritten operator's outputs differ from each other and from its inputs where the
 * original's do. An operator may destroy all its outputs before it reads, so an output may have the
 * name of an input only in a legal in-place pair. O(arguments).
 *
 * <pre>
 *   original    c = add(a, b)
 *   rewritten   a = add(a, b)       accepted only if Out may be in place of X
 * </pre>
 */
final class SlotOverlap {

  private final NodeOrder nodes;
  private final Program rewritten;
  private final InPlaceRule inPlace;
  private final Violations violations;

  /** By rewritten variable: the number of the last operator that reads it. */
  private final int[] readers;

  /**
   * By rewritten variable: the number of the last operator that writes it, and in {@link #written}
   * the original variable for which it writes.
   */
  private final int[] writers;

  private final int[] written;
  private int serial;

  SlotOverlap(NodeOrder nodes, Program rewritten, InPlaceRule inPlace, Violations violations) {
    this.nodes = nodes;
    this.rewritten = rewritten;
    this.inPlace = inPlace;
    this.violations = violations;
    this.readers = new int[rewritten.variableCount()];
    this.writers = new int[rewritten.variableCount()];
    this.written = new int[rewritten.variableCount()];
  }

  /** Checks the counterpart of a node. */
  void check(int node, Operation other, NameAssignment assignment) {
    Operation operation = nodes.operation(node);
    serial++;
    for (int i = 0; i < other.inputCount(); i++) {
      if (other.input(i) != Program.NO_VARIABLE) {
        readers[other.input(i)] = serial;
      }
    }
    for (int i = 0; i < operation.outputCount(); i++) {
      if (operation.output(i) != Program.NO_VARIABLE) {
        checkOutput(operation, other, i);
      }
    }
    for (int i = 0; i < nodes.touches(node).length(); i++) {
      int touched = nodes.touches(node).get(i);
      int twin = assignment.twin(touched);
      if (twin != Program.NO_VARIABLE && writers[twin] == serial && written[twin] != touched) {
        violations.add(
            operation,
            nodes.program().variable(written[twin]),
            "is written to "
                + Violations.quote(rewritten.variable(twin))
                + ", which the operator's blocks use");
      }
    }
  }

  private void checkOutput(Operation operation, Operation other, int i) {
    int u = operation.output(i);
    int v = other.output(i);
    if (writers[v] == serial && written[v] != u) {
      violations.add(
          operation,
          nodes.program().variable(u),
          "two outputs became one: the other is "
              + Violations.quote(nodes.program().variable(written[v])));
    }
    writers[v] = serial;
    written[v] = u;
    if (readers[v] != serial) {
      return;
    }
    for (int j = 0; j < other.inputCount(); j++) {
      if (other.input(j) == v && operation.input(j) != u && !mayMeet(operation, other, j, u, v)) {
        violations.add(
            operation,
            nodes.program().variable(u),
            "is written over the input "
                + Violations.quote(nodes.program().variable(operation.input(j)))
                + ", which is not a legal in-place pair");
      }
    }
  }

  private boolean mayMeet(Operation operation, Operation other, int input, int u, int v) {
    return other.countInputs(v) == 1
        && operation.countInputs(u) == 0
        && isOutputOnce(operation, u)
        && inPlace.allowsOneName(operation, operation.input(input), u);
  }

  private static boolean isOutputOnce(Operation operation, int u) {
    int count = 0;
    for (int i = 0; i < operation.outputCount(); i++) {
      count += operation.output(i) == u ? 1 : 0;
    }
    return count == 1;
  }
}
