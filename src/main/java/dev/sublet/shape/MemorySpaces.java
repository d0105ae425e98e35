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
 * The memory space of each variable. Under {@link Target#CPU}, all variables are on the CPU. Under
 * {@link Target#GPU}, a variable is on the CPU if some operator writes it on the host or reads it
 * as the condition of a loop or branch; all others are on the GPU.
 */
public final class MemorySpaces {

  /** The device that the program runs on. */
  public enum Target {
    /** All tensors are in host memory. */
    CPU,
    /** Tensors are in the memory of a GPU, except tensors that operators leave on the host. */
    GPU
  }

  private final Target target;
  private final BitSet host;

  private MemorySpaces(Target target, BitSet host) {
    this.target = target;
    this.host = host;
  }

  /**
   * Finds the memory space of every variable. Under {@code GPU}, three kinds of variables are on
   * the host: outputs of operators with {@code force_cpu}, outputs that the catalog puts on the
   * host, and conditions. O(arguments).
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

  /** The memory space of a variable: {@code cpu} or {@code gpu}. */
  public String place(int variable) {
    return target == Target.CPU || host.get(variable) ? "cpu" : "gpu";
  }

  /** The memory space of most variables: {@code gpu} if the target has one, else {@code cpu}. */
  public String main() {
    return target == Target.CPU ? "cpu" : "gpu";
  }

  /** Whether two variables are in the same memory space. */
  public boolean areSame(int a, int b) {
    return target == Target.CPU || host.get(a) == host.get(b);
  }
}
