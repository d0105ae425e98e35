package dev.sublet.diff;

import dev.sublet.program.Operation;
import dev.sublet.program.Slot;
import java.util.ArrayList;
import java.util.List;

/**
 * Two operators of one type that stand for each other, and which of their arguments do: slot by
 * slot, by name, as many as both have.
 *
 * @param before the one of the first program
 * @param after the one of the second
 */
record OperatorPair(Operation before, Operation after) {

  /** Two arguments, by their positions among all inputs, or outputs, of their operators. */
  record Arguments(String slot, int before, int after) {}

  List<Arguments> inputs() {
    return arguments(before.inputSlots(), after.inputSlots());
  }

  List<Arguments> outputs() {
    return arguments(before.outputSlots(), after.outputSlots());
  }

  private static List<Arguments> arguments(List<Slot> left, List<Slot> right) {
    List<Arguments> pairs = new ArrayList<>();
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
    return pairs;
  }

  /** What is different about the slots themselves, for people. */
  List<String> slotChanges() {
    List<String> changes = new ArrayList<>();
    addSlotChanges("input", before.inputSlots(), after.inputSlots(), changes);
    addSlotChanges("output", before.outputSlots(), after.outputSlots(), changes);
    return changes;
  }

  private static void addSlotChanges(
      String kind, List<Slot> left, List<Slot> right, List<String> changes) {
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
