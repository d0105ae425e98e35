package dev.sublet.testing.simulate;

import dev.sublet.program.Attribute;
import dev.sublet.program.Block;
import dev.sublet.program.Operation;
import dev.sublet.program.Slot;
import dev.sublet.program.Variable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Runs {@code while}, {@code conditional_block} and {@code recurrent} as Paddle does. */
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
   * Runs a loop. If its scopes are kept, each iteration has a fresh one, into which the inputs that
   * the body does not update are copied when the body is done, with the values from before it ran.
   */
  void runWhile(Operation operation, Scope scope) {
    int block = operation.blocks().get(0);
    boolean kept = numbering.isKept(block);
    List<Scope> steps = machine.keptScopes(operation.outputSlot("StepScopes").orElse(null), scope);
    steps.clear();
    int trips = machine.tripCount(operation);
    Scope local = new Scope(scope, kept ? block : 0);
    memory.iterations(block, 0);
    machine.condition(operation, "Condition", scope);
    for (int i = 0; i < trips; i++) {
      if (kept && i > 0) {
        local = new Scope(scope, block);
      }
      machine.createVariables(block, local);
      clearArrays(block, local);
      Map<String, Long> snapshots = new LinkedHashMap<>();
      if (kept) {
        takeSnapshots(operation, scope, snapshots);
        steps.add(local);
      }
      machine.runBody(operation, local);
      for (Map.Entry<String, Long> snapshot : snapshots.entrySet()) {
        Cell copy = new Cell(null, null);
        copy.value = snapshot.getValue();
        local.bind(snapshot.getKey(), copy);
      }
      memory.iterations(block, i + 1);
      if (!machine.condition(operation, "Condition", scope) && endsWithItsCondition(operation)) {
        return;
      }
    }
  }

  /**
   * Whether a conditional block on the loop's own condition ends the body, as in unrolled loops.
   * The schedule says how often a loop runs, but if that block was skipped it cannot run again.
   */
  private boolean endsWithItsCondition(Operation loop) {
    Block body = machine.program().block(loop.blocks().get(0));
    int last = body.operations().size() - 1;
    while (last >= 0 && !Correspondence.hasIdentity(body.operations().get(last))) {
      last--; // a rewriting may add copies and releases
    }
    Slot decides = last < 0 ? null : body.operations().get(last).inputSlot("Cond").orElse(null);
    return decides != null
        && decides.size() == 1
        && decides.variable(0) == loop.inputSlot("Condition").orElseThrow().variable(0);
  }

  private void clearArrays(int block, Scope local) {
    for (Variable variable : machine.program().block(block).variables()) {
      Cell cell = local.local(variable.name());
      if (cell != null && cell.isArray()) {
        cell.value = Values.EMPTY_ARRAY;
      }
    }
  }

  private void takeSnapshots(Operation operation, Scope scope, Map<String, Long> snapshots) {
    Slot inputs = operation.inputSlot("X").orElse(null);
    if (inputs == null) {
      return;
    }
    Set<String> updated = updatedNames(machine.program().block(operation.blocks().get(0)));
    for (int i = 0; i < inputs.size(); i++) {
      String name = inputs.argument(i);
      Cell cell = scope.find(name);
      boolean isTensor =
          cell != null && (cell.variable == null || cell.variable.kind() == Variable.Kind.TENSOR);
      if (cell != null && isTensor && !machine.isGlobal(name) && !updated.contains(name)) {
        snapshots.put(name, memory.read(cell, 2 * numbering.head(operation)));
      }
    }
  }

  /** The names that some operator of the block has both among its inputs and its outputs. */
  private static Set<String> updatedNames(Block block) {
    Set<String> updated = new LinkedHashSet<>();
    for (Operation operation : block.operations()) {
      Set<String> names = new LinkedHashSet<>();
      for (Slot slot : operation.inputSlots()) {
        for (int i = 0; i < slot.size(); i++) {
          names.add(slot.argument(i));
        }
      }
      for (Slot slot : operation.outputSlots()) {
        for (int i = 0; i < slot.size(); i++) {
          if (names.contains(slot.argument(i))) {
            updated.add(slot.argument(i));
          }
        }
      }
    }
    return updated;
  }

  /** Runs a branch in a fresh scope if its condition holds. */
  void runConditional(Operation operation, Scope scope) {
    List<Scope> kept = machine.keptScopes(operation.outputSlot("Scope").orElse(null), scope);
    kept.clear();
    if (machine.condition(operation, "Cond", scope)) {
      Scope local = new Scope(scope);
      kept.add(local);
      machine.createVariables(operation.blocks().get(0), local);
      machine.runBody(operation, local);
    }
  }

  /**
   * Runs a recurrent network: each step has a fresh scope, which gets a slice of each input and the
   * last step's states, and whose outputs become slices of the outer ones.
   */
  void runRecurrent(Operation operation, Scope scope) {
    int block = operation.blocks().get(0);
    List<String> states = strings(operation, "states");
    List<String> previousStates = strings(operation, "ex_states");
    int trips = Math.max(1, machine.tripCount(operation));
    int head = numbering.head(operation);
    List<Long> carried = readAll(operation.inputSlot("initial_states").orElse(null), scope, head);
    for (int step = 0; step < trips; step++) {
      Scope local = new Scope(scope);
      machine.createVariables(block, local);
      linkInputs(operation, scope, local, step);
      for (int i = 0; i < Math.min(carried.size(), previousStates.size()); i++) {
        writeInner(previousStates.get(i), local, head, carried.get(i));
      }
      machine.runBody(operation, local);
      List<Long> next = new ArrayList<>();
      for (String state : states) {
        Cell cell = local.find(state);
        next.add(cell == null ? Values.UNDEFINED : readAtEnd(operation, cell));
      }
      carried = next;
      linkOutputs(operation, scope, local, step);
    }
  }

  private void linkInputs(Operation operation, Scope scope, Scope local, int step) {
    Slot slot = operation.inputSlot("inputs").orElse(null);
    int head = numbering.head(operation);
    List<Long> values = readAll(slot, scope, head);
    for (int i = 0; slot != null && i < slot.size(); i++) {
      long value = values.get(i);
      long slice = value == Values.UNDEFINED ? value : Values.mix(value, step);
      writeInner(slot.argument(i), local, head, slice);
    }
  }

  private void linkOutputs(Operation operation, Scope scope, Scope local, int step) {
    Slot slot = operation.outputSlot("outputs").orElse(null);
    for (int i = 0; slot != null && i < slot.size(); i++) {
      Cell outer = scope.find(slot.argument(i));
      Cell inner = local.find(slot.argument(i));
      if (outer != null && inner != null) {
        int write = 2 * numbering.exit(operation) + 1;
        // The first step makes the outer tensor.
        long before = step == 0 ? Values.ZERO : memory.read(outer, write);
        long slice = readAtEnd(operation, inner);
        boolean undefined = before == Values.UNDEFINED || slice == Values.UNDEFINED;
        memory.write(outer, write, undefined ? Values.UNDEFINED : Values.mix(before, slice));
      }
    }
  }

  /** Gives a variable of the body its value before the body begins. */
  private void writeInner(String name, Scope local, int head, long value) {
    local.bindIfAbsent(name, new Cell(null, null));
    Cell cell = local.local(name);
    if (cell != null) {
      memory.write(cell, memory.covers(cell, 2 * head + 1) ? 2 * head + 1 : 2 * head + 2, value);
    }
  }

  private long readAtEnd(Operation operation, Cell cell) {
    return memory.read(cell, 2 * numbering.exit(operation), 2 * numbering.last(operation) + 1);
  }

  private List<Long> readAll(@Nullable Slot slot, Scope scope, int node) {
    List<Long> values = new ArrayList<>();
    for (int i = 0; slot != null && i < slot.size(); i++) {
      Cell cell = scope.find(slot.argument(i));
      values.add(cell == null ? Values.UNDEFINED : memory.read(cell, 2 * node));
    }
    return values;
  }

  private static List<String> strings(Operation operation, String name) {
    return operation.attribute(name).map(Attribute::strings).map(List::copyOf).orElse(List.of());
  }
}
