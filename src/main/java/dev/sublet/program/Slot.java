package dev.sublet.program;

import dev.sublet.proto.OpDesc;
import java.util.List;

/**
 * One named group of an operator's arguments: {@code X}, {@code Out}, … A view; O(1) throughout.
 */
public final class Slot {

  /**
   * The slot of arguments that no definition of an operator has: scratch memory, and inputs that
   * are read a second time. It is a number, as all slots of ONNX are.
   */
  public static final String EXTRA = "1000000";

  private final List<OpDesc.Var> messages;
  private final SlotLayout layout;
  private final int[] variables;
  private final int index;

  /**
   * Creates a view.
   *
   * @param messages the slots of the operator
   * @param variables the arguments of all slots
   * @param index the index of the slot
   */
  Slot(List<OpDesc.Var> messages, SlotLayout layout, int[] variables, int index) {
    this.messages = messages;
    this.layout = layout;
    this.variables = variables;
    this.index = index;
  }

  /** The operator's name for this slot. */
  public String name() {
    return layout.name(index);
  }

  /** The number of arguments, {@code @EMPTY@} ones included. */
  public int size() {
    return layout.size(index);
  }

  /** The name of an argument, as it is written in the file. */
  public String argument(int i) {
    return Operation.argumentName(messages.get(index), i);
  }

  /** The dense index of an argument's variable, or {@link Program#NO_VARIABLE}. */
  public int variable(int i) {
    return variables[layout.start(index) + i];
  }
}
