package dev.sublet.runtime.machine;

import com.google.common.collect.ImmutableSet;
import dev.sublet.program.Block;
import dev.sublet.program.Operation;
import dev.sublet.program.Slot;
import dev.sublet.program.Variable;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.memory.Argument;
import dev.sublet.runtime.memory.Cell;
import dev.sublet.runtime.memory.Memory;
import dev.sublet.runtime.memory.Numbering;
import dev.sublet.runtime.memory.Scope;
import dev.sublet.runtime.memory.Step;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Runs {@code while} and {@code conditional_block} as Paddle's executors do.
 *
 * <p>Source: {@code while_op.cc}, {@code conditional_block_op.cc} of Paddle 2.3.
 */
final class ForwardControl {

  private final Machine machine;
  private final Numbering numbering;
  private final Memory memory;

  ForwardControl(Machine machine, Numbering numbering, Memory memory) {
    this.machine = machine;
    this.numbering = numbering;
    this.memory = memory;
  }

  /**
   * Runs a {@code while} operator.
   *
   * <p>If no gradient operator visits the iterations, they share one scope, and the arrays and
   * sequences (LoD) of its variables are cleared before each iteration. Otherwise each iteration
   * has a new scope, which is kept. When the body of such an iteration is done, the input tensors
   * that the body does not update are copied into its scope, with their values from before the body
   * ran. Persistable inputs are not copied.
   *
   * <p>When the condition is tested for the n-th time, counted from 0, the loop has completed n
   * iterations, and that count stays the same while the body runs.
   */
  void runWhile(Step step) {
    int block = step.operation().blocks().get(0);
    boolean kept = numbering.isKept(block);
    boolean isEmpty = machine.program().block(block).operations().isEmpty();
    List<Scope> scopes = keptScopes(step.outputOrNull("StepScopes"));
    scopes.clear();
    Scope local = scopeFor(block, kept, step);
    memory.setIterations(block, 0);
    boolean hasRun = false;
    for (long count = 0;
        Conditions.isTrue(step, "Condition");
        memory.setIterations(block, ++count)) {
      hasRun = true;
      if (kept && count > 0) {
        local = scopeFor(block, kept, step);
      }
      machine.createVariables(block, local);
      clearLocals(block, local);
      Map<String, LodTensor> snapshots = kept ? takeSnapshots(step) : Map.of();
      if (kept) {
        scopes.add(local);
      }
      machine.runBlock(block, local);
      if (isEmpty) {
        machine.countStep(step.operation());
      }
      for (Map.Entry<String, LodTensor> snapshot : snapshots.entrySet()) {
        Cell copy = Cell.undeclared();
        memory.write(copy, 2 * numbering.exit(step.operation()), snapshot.getValue());
        local.bind(snapshot.getKey(), copy);
      }
    }
    if (!hasRun) {
      collectNothing(step, block);
    }
  }

  /** Writes empty tensors for what a loop without iterations collects. */
  private void collectNothing(Step step, int block) {
    for (Operation operation : machine.program().block(block).operations()) {
      LodTensor empty = CollectOperators.empty(operation, machine.program());
      if (empty != null) {
        String name = machine.program().variable(operation.output(0)).name();
        Cell cell = step.scope().find(name);
        if (cell != null) {
          memory.write(cell, 2 * numbering.exit(step.operation()), empty);
        }
      }
    }
  }

  private static Scope scopeFor(int block, boolean kept, Step step) {
    return kept ? Scope.ofStep(step.scope(), block) : new Scope(step.scope());
  }

  /**
   * Returns the list of kept scopes in a control operator's scope variable; a new list if the
   * operator has no such argument.
   */
  static List<Scope> keptScopes(@Nullable Argument argument) {
    return argument == null ? new ArrayList<>() : argument.cell().scopes;
  }

  private void clearLocals(int block, Scope local) {
    for (Variable variable : machine.program().block(block).variables()) {
      Cell cell = local.local(variable.name());
      if (cell != null) {
        cell.array.clear();
        memory.clearLod(cell);
      }
    }
  }

  private Map<String, LodTensor> takeSnapshots(Step step) {
    Map<String, LodTensor> snapshots = new LinkedHashMap<>();
    int block = step.operation().blocks().get(0);
    ImmutableSet<String> updated = updatedNames(machine.program().block(block));
    for (Argument input : step.inputs("X")) {
      boolean isTensor =
          input.cell().variable == null || input.cell().variable.kind() == Variable.Kind.TENSOR;
      if (isTensor && !machine.isGlobal(input.name()) && !updated.contains(input.name())) {
        LodTensor tensor = memory.read(input.cell(), 2 * step.node());
        if (tensor != null) {
          snapshots.put(input.name(), tensor);
        }
      }
    }
    return snapshots;
  }

  /**
   * Returns the names that some operator of the block has among both its inputs and its outputs.
   */
  private static ImmutableSet<String> updatedNames(Block block) {
    ImmutableSet.Builder<String> updated = ImmutableSet.builder();
    for (Operation operation : block.operations()) {
      Set<String> read = new HashSet<>();
      for (Slot slot : operation.inputSlots()) {
        for (int i = 0; i < slot.size(); i++) {
          read.add(slot.argument(i));
        }
      }
      for (Slot slot : operation.outputSlots()) {
        for (int i = 0; i < slot.size(); i++) {
          if (read.contains(slot.argument(i))) {
            updated.add(slot.argument(i));
          }
        }
      }
    }
    return updated.build();
  }

  /** Runs a {@code conditional_block}: runs its block in a new scope if its condition is true. */
  void runConditional(Step step) {
    List<Scope> scopes = keptScopes(step.outputOrNull("Scope"));
    scopes.clear();
    if (Conditions.isTaken(step)) {
      Scope local = new Scope(step.scope());
      scopes.add(local);
      int block = step.operation().blocks().get(0);
      machine.createVariables(block, local);
      machine.runBlock(block, local);
    }
  }
}
