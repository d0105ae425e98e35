package dev.sublet.runtime.memory;

import static java.util.Objects.requireNonNull;

/**
 * An argument of an operator at run time.
 *
 * @param slot the slot that it is in
 * @param index which of the slot's arguments it is, empty ones counted
 * @param name the variable's name
 * @param variable the variable's dense index
 * @param cell what the name stands for
 */
public record Argument(String slot, int index, String name, int variable, Cell cell) {

  public Argument {
    requireNonNull(slot, "slot");
    requireNonNull(name, "name");
    requireNonNull(cell, "cell");
  }
}
