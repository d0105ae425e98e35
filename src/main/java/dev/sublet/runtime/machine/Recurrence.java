package dev.sublet.runtime.machine;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.program.Attribute;
import dev.sublet.program.Operation;
import dev.sublet.program.Slot;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.Slices;
import dev.sublet.runtime.memory.Argument;
import dev.sublet.runtime.memory.Cell;
import dev.sublet.runtime.memory.Memory;
import dev.sublet.runtime.memory.Numbering;
import dev.sublet.runtime.memory.Scope;
import dev.sublet.runtime.memory.Step;
import dev.sublet.runtime.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/**
 * One run of {@code recurrent}. Each step has a new scope, which gets a slice of each input and the
 * states of the step before. The outputs of the step become slices of the outer outputs.
 *
 * <p>Source: {@code recurrent_op.cc} of Paddle 2.3.
 */
final class Recurrence {

  private final Machine machine;
  private final Numbering numbering;
  private final Memory memory;
  private final Step step;
  private final Operation operation;

  Recurrence(Machine machine, Numbering numbering, Memory memory, Step step) {
    this.machine = machine;
    this.numbering = numbering;
    this.memory = memory;
    this.step = step;
    this.operation = step.operation();
  }

  void run() {
    int block = operation.blocks().get(0);
    ImmutableList<Argument> inputs = step.inputs("inputs");
    List<LodTensor> sequences = new ArrayList<>();
    for (Argument input : inputs) {
      sequences.add(step.read(input));
    }
    int length = length(sequences);
    boolean reverse = operation.flag("reverse");
    ImmutableList<String> states = strings("states");
    ImmutableList<String> previous = strings("ex_states");
    List<LodTensor> carried = new ArrayList<>();
    for (Argument initial : step.inputs("initial_states")) {
      carried.add(step.read(initial));
    }
    List<Scope> kept = ForwardControl.keptScopes(step.outputOrNull("step_scopes"));
    kept.clear();
    for (int i = 0; i < length; i++) {
      int offset = reverse ? length - 1 - i : i;
      Scope local = new Scope(step.scope());
      kept.add(local);
      machine.createVariables(block, local);
      for (int j = 0; j < inputs.size(); j++) {
        writeInner(inputs.get(j).name(), local, row(sequences.get(j).tensor(), offset));
      }
      for (int j = 0; j < Math.min(carried.size(), previous.size()); j++) {
        writeInner(previous.get(j), local, carried.get(j));
      }
      machine.runBlock(block, local);
      carried = readStates(states, local);
      writeOutputs(local, offset, length, /* isFirst= */ i == 0);
    }
  }

  private static int length(List<LodTensor> sequences) {
    if (sequences.isEmpty() || sequences.get(0).tensor().rank() == 0) {
      throw new OperatorException("input inputs has no axis of steps");
    }
    long length = sequences.get(0).tensor().size(0);
    for (LodTensor sequence : sequences) {
      if (sequence.tensor().rank() == 0 || sequence.tensor().size(0) != length) {
        throw new OperatorException("the inputs differ in how many steps they have");
      }
    }
    return Math.toIntExact(length);
  }

  private static LodTensor row(Tensor sequence, int row) {
    ImmutableLongArray shape = sequence.shape();
    return LodTensor.of(
        Slices.rows(sequence, row, row + 1).reshaped(shape.subArray(1, shape.length())));
  }

  /** Writes a variable of the body before the body begins. */
  private void writeInner(String name, Scope local, LodTensor value) {
    Cell cell = local.bindIfAbsent(name, Cell.undeclared());
    int head = 2 * step.node();
    try {
      memory.write(cell, memory.covers(cell, head + 1) ? head + 1 : head + 2, value);
    } catch (OperatorException e) {
      throw e.at(name);
    }
  }

  private List<LodTensor> readStates(ImmutableList<String> states, Scope local) {
    List<LodTensor> values = new ArrayList<>();
    for (String state : states) {
      values.add(readAtEnd(state, local));
    }
    return values;
  }

  private LodTensor readAtEnd(String name, Scope local) {
    Cell cell = local.find(name);
    LodTensor value = cell == null ? null : memory.read(cell, 2 * numbering.last(operation) + 1);
    if (value == null) {
      throw new OperatorException("has no value at the end of a step").at(name);
    }
    return value;
  }

  /** Writes the outputs of a step into the outer outputs, which the first step creates. */
  private void writeOutputs(Scope local, int offset, int length, boolean isFirst) {
    Slot slot = operation.outputSlot("outputs").orElse(null);
    for (int i = 0; slot != null && i < slot.size(); i++) {
      Cell outer = step.scope().find(slot.argument(i));
      if (outer != null) {
        int write = 2 * numbering.exit(operation) + 1;
        Tensor row = readAtEnd(slot.argument(i), local).tensor();
        LodTensor before = isFirst ? null : memory.read(outer, write);
        Tensor rows = before == null ? zeros(row, length) : before.tensor();
        memory.write(outer, write, LodTensor.of(Slices.withRow(rows, offset, row)));
      }
    }
  }

  private static Tensor zeros(Tensor row, int length) {
    return Tensor.zeros(
        row.type(), ImmutableLongArray.builder().add(length).addAll(row.shape()).build());
  }

  private ImmutableList<String> strings(String name) {
    return operation.attribute(name).map(Attribute::strings).orElse(ImmutableList.of());
  }
}
