package dev.sublet.fuzz;

import static java.util.Objects.requireNonNull;

/**
 * Something that is wrong.
 *
 * @param seed the case's seed
 * @param shape what all cases of the same fault have in common: the place in the code, or a message
 *     without names and numbers
 * @param message what is wrong in this case
 */
record Fault(long seed, String shape, String message) {

  Fault {
    requireNonNull(shape, "shape");
    requireNonNull(message, "message");
  }
}
