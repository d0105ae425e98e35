package dev.sublet.diff;

import com.google.common.collect.ImmutableList;
import dev.sublet.program.Operation;
import dev.sublet.program.Slot;
import java.util.List;

/**
 * Two corresponding operators of one type, and the pairs of their arguments. Arguments are paired
 * by slot name and position, as far as both slots reach.
 */
final class OperatorPair {

  private final Operation before;
  private final Operation after;
  private final ImmutableList<Arguments> inputs;
  private final ImmutableList<Arguments> outputs;
  private final ImmutableList<String> slotChanges;

  OperatorPair(Operation before, Operation after) {
    this.before = before;
    this.after = after;
    ImmutableList<Slot> inputSlots = before.inputSlots();
    ImmutableList<Slot> outputSlots = before.outputSlots();
    ImmutableList<Slot> otherInputs = after.inputSlots();
    ImmutableList<Slot> otherOutputs = after.outputSlots();
    this.inputs = arguments(inputSlots, otherInputs);
    this.outputs = arguments(outputSlots, otherOutputs);
    this.slotChanges = slotChanges(inputSlots, otherInputs, outputSlots, otherOutputs);
  }

  /** The operator of the first program. */
  Operation before() {
    return before;
  }

  /** The operator of the second program. */
  Operation after() {
    return after;
  }

  /**
   * Two arguments, given by their positions among all inputs, or all outputs, of their operators.
   */
  record Arguments(String slot, int before, int after) {}

  ImmutableList<Arguments> inputs() {
    return inputs;
  }

  ImmutableList<Arguments> outputs() {
    return outputs;
  }

  private static ImmutableList<Arguments> arguments(List<Slot> left, List<Slot> right) {
    ImmutableList.Builder<Arguments> pairs = ImmutableList.builder();
    int base = 0;
    for (Slot slot : left) {
      int otherBase = 0;
      for (Slot other : right) {
        if (other.name().equals(slot.name())) {
          for (int i = 0; i < Math.min(slot.size(), other.size()); i++) {
            pairs.add(new Arguments(slot.name(), base + i, otherBase + i));
          }
          break;
        }
        otherBase += other.size();
      }
      base += slot.size();
    }
    return pairs.build();
  }

  /** The differences between the slots themselves, as text for people. */
  ImmutableList<String> slotChanges() {
    return slotChanges;
  }

  private static ImmutableList<String> slotChanges(
      List<Slot> inputs, List<Slot> otherInputs, List<Slot> outputs, List<Slot> otherOutputs) {
    ImmutableList.Builder<String> changes = ImmutableList.builder();
    addSlotChanges("input", inputs, otherInputs, changes);
    addSlotChanges("output", outputs, otherOutputs, changes);
    return changes.build();
  }

  private static void addSlotChanges(
      String kind, List<Slot> left, List<Slot> right, ImmutableList.Builder<String> changes) {
    for (Slot slot : left) {
      int size = size(right, slot.name());
      if (size != slot.size()) {
        changes.add(
            kind
                + " "
                + slot.name()
                + (size < 0
                    ? " removed"
                    : " has " + size + " arguments instead of " + slot.size()));
      }
    }
    for (Slot slot : right) {
      if (size(left, slot.name()) < 0) {
        changes.add(kind + " " + slot.name() + " added");
      }
    }
  }

  private static int size(List<Slot> slots, String name) {
    for (Slot slot : slots) {
      if (slot.name().equals(name)) {
        return slot.size();
      }
    }
    return -1;
  }
}
