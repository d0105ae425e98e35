package dev.sublet.testing.simulate;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.primitives.ImmutableIntArray;
import dev.sublet.program.Block;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import java.util.ArrayList;
import java.util.List;

/**
 * Which operator of the original program each operator of a rewritten one is.
 *
 * <p>A rewrite keeps a block's operators in their order, except that it may add or drop {@code
 * delete_var} and {@code assign}. These need no identity: the first has no value and the second
 * passes one on. So the k-th of the other operators of a block is the k-th of the original block.
 */
final class Correspondence {

  private final Operation[][] originals;
  private final long[][] identities;

  private Correspondence(int blocks) {
    originals = new Operation[blocks][];
    identities = new long[blocks][];
  }

  /**
   * Pairs the operators of two programs up. O(operators).
   *
   * @throws IllegalArgumentException if one is not a rewritten form of the other
   */
  static Correspondence of(Program rewritten, Program original) {
    checkArgument(
        rewritten.blocks().size() == original.blocks().size(), "the programs' blocks differ");
    Correspondence result = new Correspondence(rewritten.blocks().size());
    for (Block block : rewritten.blocks()) {
      result.pairUp(block, original.block(block.index()));
    }
    return result;
  }

  /**
   * Pairs the operators of a program up with those of one whose first block has the same operators
   * in another order. O(operators).
   */
  static Correspondence ofMoved(Program original, ImmutableIntArray order) {
    Correspondence result = of(original, original);
    Operation[] operations = result.originals[0].clone();
    long[] names = result.identities[0].clone();
    for (int i = 0; i < names.length; i++) {
      result.originals[0][i] = operations[order.get(i)];
      result.identities[0][i] = names[order.get(i)];
    }
    return result;
  }

  private void pairUp(Block rewritten, Block original) {
    List<Operation> kept = new ArrayList<>();
    for (Operation operation : original.operations()) {
      if (hasIdentity(operation)) {
        kept.add(operation);
      }
    }
    Operation[] partners = new Operation[rewritten.operations().size()];
    long[] names = new long[partners.length];
    int next = 0;
    for (Operation operation : rewritten.operations()) {
      Operation partner = operation;
      if (hasIdentity(operation)) {
        checkArgument(next < kept.size(), "%s is not in the original", operation);
        partner = kept.get(next++);
        checkSameForm(operation, partner);
      }
      partners[operation.index()] = partner;
      long place = Values.mix(rewritten.index(), next);
      names[operation.index()] = Values.mix(place, Values.of(operation.type()));
    }
    checkArgument(next == kept.size(), "block %s lacks operators", rewritten.index());
    originals[rewritten.index()] = partners;
    identities[rewritten.index()] = names;
  }

  /** Whether a rewriting may neither add nor drop operators like this one. */
  static boolean hasIdentity(Operation operation) {
    return !operation.type().equals("assign") && !operation.type().equals("delete_var");
  }

  private static void checkSameForm(Operation operation, Operation original) {
    checkArgument(
        operation.type().equals(original.type())
            && operation.inputCount() == original.inputCount()
            && operation.outputCount() == original.outputCount(),
        "%s is not the original's %s",
        operation,
        original);
  }

  /** The operator that this one was in the original program. */
  Operation original(Operation operation) {
    return originals[operation.block()][operation.index()];
  }

  /** A hash that the operator has in common with its original and with no other operator. */
  long identity(Operation operation) {
    return identities[operation.block()][operation.index()];
  }
}
