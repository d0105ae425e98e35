package dev.sublet.shape;

import dev.sublet.operator.LodRule;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.program.Block;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Variable;
import java.util.BitSet;

/**
 * Which variables may carry sequence information (LoD): those declared so, and those that operators
 * may pass it on to. An over-approximation, iterated to a fixpoint over all blocks regardless of
 * order. O(sweeps × arguments); two sweeps for most programs.
 */
public final class LodCarriers {

  private final BitSet carriers;

  private LodCarriers(BitSet carriers) {
    this.carriers = carriers;
  }

  /** Finds the carriers of a program. */
  public static LodCarriers find(Program program, OperatorCatalog catalog) {
    BitSet carriers = new BitSet(program.variableCount());
    for (Variable variable : program.variables()) {
      if (variable.tensorType().isPresent() && variable.tensorType().get().lodLevel() > 0) {
        carriers.set(variable.index());
      }
    }
    boolean changed = true;
    while (changed) {
      changed = false;
      for (Block block : program.blocks()) {
        for (Operation operation : block.operations()) {
          changed |= pass(operation, catalog.lookup(operation.type()).lodRule(), carriers);
        }
      }
    }
    return new LodCarriers(carriers);
  }

  private static boolean pass(Operation operation, LodRule rule, BitSet carriers) {
    if (rule == LodRule.CLEARS || (rule == LodRule.PASSES && !readsCarrier(operation, carriers))) {
      return false;
    }
    boolean changed = false;
    for (int i = 0; i < operation.outputCount(); i++) {
      int output = operation.output(i);
      if (output != Program.NO_VARIABLE && !carriers.get(output)) {
        carriers.set(output);
        changed = true;
      }
    }
    return changed;
  }

  private static boolean readsCarrier(Operation operation, BitSet carriers) {
    for (int i = 0; i < operation.inputCount(); i++) {
      if (operation.input(i) != Program.NO_VARIABLE && carriers.get(operation.input(i))) {
        return true;
      }
    }
    return false;
  }

  /** Whether the variable may carry LoD in some run. */
  public boolean carries(int variable) {
    return carriers.get(variable);
  }
}
