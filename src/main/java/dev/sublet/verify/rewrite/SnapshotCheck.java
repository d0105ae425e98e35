package dev.sublet.verify.rewrite;

import com.google.common.primitives.ImmutableIntArray;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Slot;
import dev.sublet.verify.graph.NodeOrder;
import dev.sublet.verify.graph.OperatorAlignment;
import dev.sublet.verify.graph.SavedScopes;
import dev.sublet.verify.graph.Violations;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Checks that a renaming does not change which inputs of a training {@code while} are copied in
 * each iteration, nor which of these copies its gradient uses. The copies hide the variables
 * themselves. O(arguments of the bodies).
 *
 * <pre>
 *   while(X = [w, s]) { s = sum(s, w) }     copies w in each iteration, because the body does not
 *                                           update it; s updates itself and is not copied
 * </pre>
 */
final class SnapshotCheck {

  private final NodeOrder nodes;
  private final SavedScopes savedScopes;
  private final OperatorAlignment alignment;
  private final Violations violations;

  SnapshotCheck(
      NodeOrder nodes,
      SavedScopes savedScopes,
      OperatorAlignment alignment,
      Violations violations) {
    this.nodes = nodes;
    this.savedScopes = savedScopes;
    this.alignment = alignment;
    this.violations = violations;
  }

  /** Checks all forward loops and their gradients. */
  void run() {
    for (int node = 0; node < nodes.nodeCount(); node++) {
      if (!nodes.isHead(node)) {
        continue;
      }
      if (savedScopes.takesSnapshots(node)) {
        checkPositions(node);
      }
      int forward = savedScopes.forwardHead(node);
      if (forward >= 0 && savedScopes.takesSnapshots(forward)) {
        checkUses(forward, node);
        checkNames(nodes.operation(forward), nodes.body(forward), nodes.body(node));
      }
    }
  }

  private void checkPositions(int head) {
    Operation operation = nodes.operation(head);
    ImmutableIntArray before = SavedScopes.snapshots(nodes.program(), operation);
    ImmutableIntArray after =
        SavedScopes.snapshots(alignment.rewritten(), alignment.requireCounterpart(head));
    if (!before.equals(after)) {
      violations.add(
          operation.location(), "the renaming changes which inputs are copied in each iteration");
    }
  }

  private void checkUses(int forward, int gradient) {
    Map<Integer, Integer> positions = positions(nodes.operation(forward));
    Map<Integer, Integer> others = positions(alignment.requireCounterpart(forward));
    for (int node = gradient + 1; node <= nodes.exitOf(gradient); node++) {
      Operation operation = nodes.operation(node);
      Operation other = alignment.counterpart(node);
      for (Operation extra : alignment.extrasBefore(node)) {
        checkAlone(extra, others);
      }
      if (other == null) {
        checkAlone(operation, positions);
        continue;
      }
      for (int i = 0; node < nodes.exitOf(gradient) && i < operation.inputCount(); i++) {
        check(operation, operation.input(i), other.input(i), positions, others);
      }
      for (int i = 0; node < nodes.exitOf(gradient) && i < operation.outputCount(); i++) {
        check(operation, operation.output(i), other.output(i), positions, others);
      }
    }
  }

  private void check(
      Operation operation,
      int u,
      int v,
      Map<Integer, Integer> positions,
      Map<Integer, Integer> others) {
    int position = positions.getOrDefault(u, -1);
    if (u != Program.NO_VARIABLE && position != others.getOrDefault(v, -1)) {
      violations.add(
          operation,
          nodes.program().variable(u),
          "the renaming changes which iteration's copy the gradient uses");
    }
  }

  /** Adds a violation if a copy in one program only uses a variable that the runtime copies. */
  private void checkAlone(Operation copy, Map<Integer, Integer> positions) {
    for (int i = 0; i < copy.inputCount(); i++) {
      checkAlone(copy, copy.input(i), positions);
    }
    for (int i = 0; i < copy.outputCount(); i++) {
      checkAlone(copy, copy.output(i), positions);
    }
  }

  private void checkAlone(Operation copy, int variable, Map<Integer, Integer> positions) {
    if (variable != Program.NO_VARIABLE && positions.containsKey(variable)) {
      violations.add(
          copy.location(), "only one program has the operator, which uses a loop's copies");
    }
  }

  /**
   * Checks that no input is renamed to the name of a local: the runtime gives its copies the names
   * of the inputs, in the scope of the body's own variables.
   */
  private void checkNames(Operation operation, int... bodies) {
    Slot before = operation.inputSlot("X").orElse(null);
    Slot after =
        alignment.requireCounterpart(nodes.headOfBlock(bodies[0])).inputSlot("X").orElse(null);
    for (int i = 0; before != null && after != null && i < before.size(); i++) {
      boolean renamed = !before.argument(i).equals(after.argument(i));
      for (int body : bodies) {
        if (renamed && nodes.program().declared(body, after.argument(i)) != Program.NO_VARIABLE) {
          violations.add(
              operation, nodes.program().variable(before.variable(i)), "its copies hide a local");
        }
      }
    }
  }

  /** By variable: its first position in X. */
  private static Map<Integer, Integer> positions(Operation operation) {
    Map<Integer, Integer> positions = new HashMap<>();
    Optional<Slot> inputs = operation.inputSlot("X");
    for (int i = 0; inputs.isPresent() && i < inputs.get().size(); i++) {
      positions.putIfAbsent(inputs.get().variable(i), i);
    }
    return positions;
  }
}
