package dev.sublet.runtime.memory;

import static java.util.Objects.requireNonNull;

/**
 * An argument of an operator at run time.
 *
 * @param slot the slot of the argument
 * @param index the position of the argument in its slot, counting empty arguments too
 * @param name the variable's name
 * @param variable the variable's dense index
 * @param cell the variable's instance in the operator's scope
 */
public record Argument(String slot, int index, String name, int variable, Cell cell) {

  public Argument {
    requireNonNull(slot, "slot");
    requireNonNull(name, "name");
    requireNonNull(cell, "cell");
  }
}
