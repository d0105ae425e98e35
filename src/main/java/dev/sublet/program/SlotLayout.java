package dev.sublet.program;

import com.google.protobuf.ByteString;
import dev.sublet.proto.OpDesc;
import java.util.Arrays;
import java.util.List;

/**
 * The names of an operator's input slots, or of its output slots, and where the arguments of each
 * begin.
 */
final class SlotLayout {

  private final String[] names;

  /** The names as a file has them: slots are compared without decoding their names. */
  private final ByteString[] encodedNames;

  /** The position of each slot's first argument, and at the end the number of arguments. */
  private final int[] starts;

  SlotLayout(List<OpDesc.Var> slots) {
    this.names = new String[slots.size()];
    this.encodedNames = new ByteString[slots.size()];
    this.starts = new int[slots.size() + 1];
    for (int i = 0; i < names.length; i++) {
      names[i] = slots.get(i).getParameter();
      encodedNames[i] = slots.get(i).getParameterBytes();
      starts[i + 1] = starts[i] + slots.get(i).getArgumentsCount();
    }
  }

  /** Whether this is the layout of the slots. O(slots). */
  boolean isOf(List<OpDesc.Var> slots) {
    boolean isSame = slots.size() == names.length;
    for (int i = 0; isSame && i < names.length; i++) {
      OpDesc.Var slot = slots.get(i);
      isSame =
          slot.getArgumentsCount() == size(i) && slot.getParameterBytes().equals(encodedNames[i]);
    }
    return isSame;
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

  /** The name of the slot that contains the argument at a position. O(log slots). */
  String nameAt(int position) {
    int slot = 0;
    int last = names.length - 1;
    while (slot < last) {
      int middle = (slot + last + 1) / 2;
      if (starts[middle] <= position) {
        slot = middle;
      } else {
        last = middle - 1;
      }
    }
    return names[slot];
  }

  /**
   * Returns the place of argument i of a slot among the arguments of all slots; -1 if the slot has
   * no such argument. O(slots).
   */
  int position(String name, int i) {
    int slot = indexOf(name);
    return slot >= 0 && i < size(slot) ? starts[slot] + i : -1;
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
