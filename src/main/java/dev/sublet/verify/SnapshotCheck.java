package dev.sublet.verify;

import com.google.common.primitives.ImmutableIntArray;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Slot;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Checks that a renaming leaves alone which inputs of a training {@code while} are copied in each
 * iteration, and which of these copies its gradient reads: the copies hide the variables
 * themselves. O(arguments of the bodies).
 */
final class SnapshotCheck {

  private final Walk walk;
  private final Training training;
  private final Alignment alignment;
  private final Violations violations;

  SnapshotCheck(Walk walk, Training training, Alignment alignment, Violations violations) {
    this.walk = walk;
    this.training = training;
    this.alignment = alignment;
    this.violations = violations;
  }

  void run() {
    for (int node = 0; node < walk.nodeCount(); node++) {
      if (!walk.isHead(node)) {
        continue;
      }
      if (training.takesSnapshots(node)) {
        checkPositions(node);
      }
      int forward = training.forwardHead(node);
      if (forward >= 0 && training.takesSnapshots(forward)) {
        checkReads(forward, node);
      }
    }
  }

  private void checkPositions(int head) {
    Operation operation = walk.operation(head);
    ImmutableIntArray before = Training.snapshots(walk.program(), operation);
    ImmutableIntArray after =
        Training.snapshots(alignment.rewritten(), alignment.requireCounterpart(head));
    if (!before.equals(after)) {
      violations.add(
          operation.place(), "the renaming changes which inputs are copied in each iteration");
    }
  }

  private void checkReads(int forward, int gradient) {
    Map<Integer, Integer> positions = positions(walk.operation(forward));
    Map<Integer, Integer> others = positions(alignment.requireCounterpart(forward));
    for (int node = gradient + 1; node < walk.exitOf(gradient); node++) {
      Operation operation = walk.operation(node);
      Operation other = alignment.counterpart(node);
      for (int i = 0; other != null && i < operation.inputCount(); i++) {
        int position = positions.getOrDefault(operation.input(i), -1);
        int newPosition = others.getOrDefault(other.input(i), -1);
        if (operation.input(i) != Program.NO_VARIABLE && position != newPosition) {
          violations.add(
              operation,
              walk.program().variable(operation.input(i)),
              "the renaming changes which iteration's copy the gradient reads");
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
