package dev.sublet.program;

import dev.sublet.proto.OpDesc;

/**
 * One named group of an operator's arguments: {@code X}, {@code Out}, … A view; O(1) throughout.
 */
public final class Slot {

  private final OpDesc.Var message;
  private final int[] variables;
  private final int base;
  private final int size;

  Slot(OpDesc.Var message, int[] variables, int base) {
    this.message = message;
    this.variables = variables;
    this.base = base;
    this.size = message.getArgumentsCount();
  }

  /** The operator's name for this slot. */
  public String name() {
    return message.getParameter();
  }

  /** The number of arguments, {@code @EMPTY@} ones included. */
  public int size() {
    return size;
  }

  /** The position of the first argument among the arguments of all slots. */
  int firstPosition() {
    return base;
  }

  /** The name of an argument, as it is written in the file. */
  public String argument(int i) {
    return Operation.argumentName(message, i);
  }

  /** The dense index of an argument's variable, or {@link Program#NO_VARIABLE}. */
  public int variable(int i) {
    return variables[base + i];
  }
}
