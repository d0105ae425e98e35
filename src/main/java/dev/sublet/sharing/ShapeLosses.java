package dev.sublet.sharing;

import dev.sublet.program.Block;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.shape.Sizes;
import java.util.BitSet;

/**
 * Finds the variables whose new names prevent the inference of shapes of a rewritten program. With
 * such a loss, a reader of the rewritten program could not check its plan.
 *
 * <p>An operator has a loss if the size of an output is known in the original, but in the rewritten
 * program it is unknown, smaller, or larger than every variable of the output's name. All arguments
 * of the operator are then suspects.
 */
final class ShapeLosses {

  private final Program original;
  private final Sizes before;
  private final Program rewritten;
  private final Sizes after;
  private final long[] capacities;

  /** The variables that operators with a loss write. */
  private final BitSet written = new BitSet();

  private final BitSet first = new BitSet();
  private final BitSet all = new BitSet();

  private ShapeLosses(Program original, Sizes before, Program rewritten, Sizes after) {
    this.original = original;
    this.before = before;
    this.rewritten = rewritten;
    this.after = after;
    this.capacities = new long[rewritten.variableCount()];
  }

  /**
   * Finds the losses. Both programs have the same operators in the same places. O(arguments).
   *
   * @param before the sizes of the original
   * @param after the sizes of the rewritten program
   */
  static ShapeLosses find(Program original, Sizes before, Program rewritten, Sizes after) {
    ShapeLosses losses = new ShapeLosses(original, before, rewritten, after);
    losses.find();
    return losses;
  }

  /**
   * The arguments of the operators where a loss begins, as variables of the original. Other losses
   * may disappear when these variables get their own names. Empty only if there is no loss.
   */
  BitSet first() {
    return first.isEmpty() ? all : first;
  }

  /** The arguments of all operators with a loss, as variables of the original. */
  BitSet all() {
    return all;
  }

  private void find() {
    for (Block block : original.blocks()) {
      for (Operation operation : block.operations()) {
        Operation other = counterpart(operation);
        for (int i = 0; i < operation.outputCount(); i++) {
          if (other.output(i) != Program.NO_VARIABLE) {
            int v = other.output(i);
            capacities[v] = Math.max(capacities[v], before.bytes(operation.output(i)));
          }
        }
      }
    }
    for (Block block : original.blocks()) {
      for (Operation operation : block.operations()) {
        if (noteLosses(operation)) {
          operation.addArgumentsTo(all);
          if (!readsLost(operation)) {
            operation.addArgumentsTo(first);
          }
        }
      }
    }
  }

  /** Records the outputs of an operator that have a loss; returns whether there are any. */
  private boolean noteLosses(Operation operation) {
    boolean loses = false;
    for (int i = 0; i < operation.outputCount(); i++) {
      if (isLoss(operation, counterpart(operation), i)) {
        loses = true;
        written.set(operation.output(i));
      }
    }
    return loses;
  }

  private boolean isLoss(Operation operation, Operation other, int output) {
    if (other.output(output) == Program.NO_VARIABLE) {
      return false;
    }
    long bytes = before.bytesWritten(operation, output);
    long now = after.bytesWritten(other, output);
    return bytes >= 0 && (now < bytes || now > Math.max(bytes, capacities[other.output(output)]));
  }

  private boolean readsLost(Operation operation) {
    for (int i = 0; i < operation.inputCount(); i++) {
      if (operation.input(i) != Program.NO_VARIABLE && written.get(operation.input(i))) {
        return true;
      }
    }
    return false;
  }

  private Operation counterpart(Operation operation) {
    return rewritten.block(operation.block()).operations().get(operation.index());
  }
}
