package dev.sublet.paddle;

import static java.util.Objects.requireNonNull;

/**
 * A place in a program where a variable is written: one argument of one output slot of one
 * operator.
 *
 * @param block the block that holds the operator
 * @param op the operator's index in its block
 * @param slot the output slot's name
 * @param argument the argument's position in its slot
 */
public record Definition(int block, int op, String slot, int argument) {

  public Definition {
    requireNonNull(slot, "slot");
  }
}
