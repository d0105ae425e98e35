package dev.sublet.program;

import dev.sublet.proto.OpDesc;
import java.util.Arrays;
import java.util.List;

/**
 * The names of an operator's slots, and where the arguments of each begin. Operators have few
 * layouts, so a program has one object for all operators of a layout.
 */
final class SlotLayout {

  private final String[] names;

  /** The position of each slot's first argument, and at the end the number of arguments. */
  private final int[] starts;

  private SlotLayout(String[] names, int[] starts) {
    this.names = names;
    this.starts = starts;
  }

  static SlotLayout of(List<OpDesc.Var> slots) {
    String[] names = new String[slots.size()];
    int[] starts = new int[slots.size() + 1];
    for (int i = 0; i < names.length; i++) {
      names[i] = slots.get(i).getParameter();
      starts[i + 1] = starts[i] + slots.get(i).getArgumentsCount();
    }
    return new SlotLayout(names, starts);
  }

  /** The number of slots. */
  int count() {
    return names.length;
  }

  String name(int slot) {
    return names[slot];
  }

  /** The position of a slot's first argument among the arguments of all slots. */
  int start(int slot) {
    return starts[slot];
  }

  /** The number of a slot's arguments. */
  int size(int slot) {
    return starts[slot + 1] - starts[slot];
  }

  /** The number of arguments of all slots. */
  int argumentCount() {
    return starts[names.length];
  }

  /** The index of the slot of that name; -1 if there is none. */
  int indexOf(String name) {
    for (int i = 0; i < names.length; i++) {
      if (names[i].equals(name)) {
        return i;
      }
    }
    return -1;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SlotLayout layout
        && Arrays.equals(names, layout.names)
        && Arrays.equals(starts, layout.starts);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(names) + Arrays.hashCode(starts);
  }
}
