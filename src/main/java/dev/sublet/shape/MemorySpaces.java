package dev.sublet.shape;

import dev.sublet.operator.OperatorCatalog;
import dev.sublet.operator.spec.ControlKind;
import dev.sublet.operator.spec.OperatorSpec;
import dev.sublet.program.Block;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Slot;
import java.util.BitSet;

/**
 * In which memory each variable lives. Under {@link Target#CPU} all live on the CPU. Under {@link
 * Target#GPU} those that some operator writes on the host, or reads as a loop's condition, live on
 * the CPU and the others on the GPU. O(arguments).
 */
public final class MemorySpaces {

  /** What the program is going to run on. */
  public enum Target {
    /** Everything is in host memory. */
    CPU,
    /** Tensors are in the memory of a GPU, apart from those that operators leave on the host. */
    GPU
  }

  private final Target target;
  private final BitSet host;

  private MemorySpaces(Target target, BitSet host) {
    this.target = target;
    this.host = host;
  }

  /**
   * Finds the place of every variable. Under {@code GPU}, on the host are outputs of operators with
   * {@code force_cpu}, those that the catalog says so of, and conditions. O(arguments).
   */
  public static MemorySpaces find(Program program, OperatorCatalog catalog, Target target) {
    BitSet host = new BitSet(program.variableCount());
    if (target == Target.GPU) {
      for (Block block : program.blocks()) {
        for (Operation operation : block.operations()) {
          addHostVariables(operation, catalog.lookup(operation.type()), host);
        }
      }
    }
    return new MemorySpaces(target, host);
  }

  private static void addHostVariables(Operation operation, OperatorSpec spec, BitSet host) {
    boolean all = operation.flag("force_cpu");
    for (Slot slot : operation.outputSlots()) {
      if (all || spec.hostOutputs().contains(slot.name())) {
        add(slot, host);
      }
    }
    if (spec.control() == ControlKind.WHILE) {
      operation.inputSlot("Condition").ifPresent(slot -> add(slot, host));
    }
    if (spec.control() == ControlKind.CONDITIONAL) {
      operation.inputSlot("Cond").ifPresent(slot -> add(slot, host));
    }
  }

  private static void add(Slot slot, BitSet host) {
    for (int i = 0; i < slot.size(); i++) {
      if (slot.variable(i) != Program.NO_VARIABLE) {
        host.set(slot.variable(i));
      }
    }
  }

  /** {@code cpu} or {@code gpu}. */
  public String place(int variable) {
    return target == Target.CPU || host.get(variable) ? "cpu" : "gpu";
  }

  /** Where variables are as a rule: {@code gpu} if there is one. */
  public String main() {
    return target == Target.CPU ? "cpu" : "gpu";
  }

  /** Whether the two live in the same memory. */
  public boolean areSame(int a, int b) {
    return target == Target.CPU || host.get(a) == host.get(b);
  }
}
