package dev.sublet.picture;

import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.VariableId;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Aligns the operators of a rewritten program with those of the original, and thereby the variables
 * of both. A rewrite drops copies and adds operators, but never reorders them. Two nodes are one
 * step if their operators have the same type, block and number of arguments, and the arguments have
 * the names that the renamings predict.
 *
 * <p>If names changed in other ways, as in loops with fewer copies, the nearest match within {@link
 * #WINDOW} nodes is taken. The alignment only gives the steps of a picture and proves nothing: an
 * operator that is not recognized is drawn as two steps. O(nodes × window).
 */
final class ProgramAlignment {

  /** The number of nodes in which the next matching pair is searched. */
  private static final int WINDOW = 32;

  private final ControlFlowGraph before;
  private final ControlFlowGraph after;
  private final Map<VariableId, VariableId> renamings;

  private final int[] stepOfBefore;
  private final int[] stepOfAfter;
  private final int[] becomes;

  /** The nodes of the rewritten program in blocks that the original has too. */
  private final int[] common;

  private int nextAfter = 0;
  private int steps = 0;

  private ProgramAlignment(
      ControlFlowGraph before, ControlFlowGraph after, Map<VariableId, VariableId> renamings) {
    this.before = before;
    this.after = after;
    this.renamings = renamings;
    this.stepOfBefore = new int[before.nodeCount()];
    this.stepOfAfter = new int[after.nodeCount()];
    this.becomes = new int[before.program().variableCount()];
    Arrays.fill(becomes, Program.NO_VARIABLE);
    int blocks = before.program().blocks().size();
    this.common =
        IntStream.range(0, after.nodeCount())
            .filter(node -> after.operation(node).block() < blocks)
            .toArray();
  }

  /** Aligns two programs, of which the second is a rewriting of the first. */
  static ProgramAlignment of(
      ControlFlowGraph before, ControlFlowGraph after, Map<VariableId, VariableId> renamings) {
    ProgramAlignment alignment = new ProgramAlignment(before, after, renamings);
    alignment.align();
    return alignment;
  }

  /** The number of steps. */
  int steps() {
    return steps;
  }

  /** The step of each node of the original program; ascending. */
  int[] stepOfBefore() {
    return stepOfBefore;
  }

  /** The step of each node of the rewritten program; ascending. */
  int[] stepOfAfter() {
    return stepOfAfter;
  }

  /**
   * Returns the variable of the rewritten program that a variable of the original has become, or
   * {@link Program#NO_VARIABLE}.
   */
  int becomes(int variable) {
    if (becomes[variable] != Program.NO_VARIABLE) {
      return becomes[variable];
    }
    VariableId id = expected(before.program().variable(variable).id());
    return id.block() < after.program().blocks().size()
        ? after.program().declared(id.block(), id.name())
        : Program.NO_VARIABLE;
  }

  private void align() {
    int i = 0;
    int j = 0;
    while (i < before.nodeCount() || j < common.length) {
      int match = nextMatch(i, j);
      int dropped = match < 0 ? (i < before.nodeCount() ? 1 : 0) : match / WINDOW;
      int added = match < 0 ? (j < common.length ? 1 : 0) : match % WINDOW;
      for (; dropped > 0; dropped--) {
        stepOfBefore[i++] = steps++;
      }
      for (; added > 0; added--) {
        addThrough(common[j++]);
      }
      if (match >= 0) {
        addThrough(common[j] - 1);
        relate(before.operation(i), after.operation(common[j]));
        stepOfBefore[i++] = steps;
        addThrough(common[j++]);
      }
    }
    addThrough(after.nodeCount() - 1);
  }

  /**
   * Makes a step of each node of the rewritten program that has no step yet, up to and including a
   * last one.
   */
  private void addThrough(int last) {
    while (nextAfter <= last) {
      stepOfAfter[nextAfter++] = steps++;
    }
  }

  /**
   * Returns the next pair of nodes that are one step, as the number of skipped nodes of the
   * original times the window plus the number of skipped nodes of the rewritten program; or -1.
   * Pairs with the expected names, after only dropped or only added nodes, come first; then the
   * nearest pair with any names.
   */
  private int nextMatch(int i, int j) {
    for (int skipped = 0; skipped < WINDOW; skipped++) {
      if (isSame(i + skipped, j) && hasExpectedNames(i + skipped, j)) {
        return skipped * WINDOW;
      }
      if (isSame(i, j + skipped) && hasExpectedNames(i, j + skipped)) {
        return skipped;
      }
    }
    for (int distance = 0; distance < WINDOW; distance++) {
      for (int added = 0; added <= distance; added++) {
        if (isSame(i + distance - added, j + added)) {
          return (distance - added) * WINDOW + added;
        }
      }
    }
    return -1;
  }

  private boolean isSame(int i, int j) {
    if (i >= before.nodeCount() || j >= common.length) {
      return false;
    }
    Operation a = before.operation(i);
    Operation b = after.operation(common[j]);
    return a.block() == b.block()
        && a.type().equals(b.type())
        && before.isKernel(i) == after.isKernel(common[j])
        && (before.regionAtHead(i) < 0) == (after.regionAtHead(common[j]) < 0);
  }

  private boolean hasExpectedNames(int i, int j) {
    Operation a = before.operation(i);
    Operation b = after.operation(common[j]);
    if (!before.isKernel(i)) {
      return true;
    }
    if (a.inputCount() != b.inputCount() || a.outputCount() != b.outputCount()) {
      return false;
    }
    boolean same = true;
    for (int k = 0; k < a.inputCount() && same; k++) {
      same = isExpected(a.input(k), b.input(k));
    }
    for (int k = 0; k < a.outputCount() && same; k++) {
      same = isExpected(a.output(k), b.output(k));
    }
    return same;
  }

  private boolean isExpected(int old, int now) {
    if (old == Program.NO_VARIABLE || now == Program.NO_VARIABLE) {
      return old == now;
    }
    return becomes[old] == now
        || expected(before.program().variable(old).id()).equals(after.program().variable(now).id());
  }

  private VariableId expected(VariableId id) {
    return renamings.getOrDefault(id, id);
  }

  /**
   * Relates the arguments of two aligned operators: a variable has become the variable at the same
   * position of the first operator that uses it.
   */
  private void relate(Operation a, Operation b) {
    if (a.inputCount() == b.inputCount() && a.outputCount() == b.outputCount()) {
      for (int k = 0; k < a.inputCount(); k++) {
        relate(a.input(k), b.input(k));
      }
      for (int k = 0; k < a.outputCount(); k++) {
        relate(a.output(k), b.output(k));
      }
    }
  }

  private void relate(int old, int now) {
    if (old != Program.NO_VARIABLE && becomes[old] == Program.NO_VARIABLE) {
      becomes[old] = now;
    }
  }
}
