package dev.sublet.testing.simulate;

import static java.util.Objects.requireNonNull;

/**
 * An operator may compute the first argument of an output slot in the bytes of the first argument
 * of an input slot.
 *
 * @param type the operator type
 * @param input the input slot
 * @param output the output slot
 */
public record InPlaceRule(String type, String input, String output) {

  public InPlaceRule {
    requireNonNull(type, "type");
    requireNonNull(input, "input");
    requireNonNull(output, "output");
  }
}
