package dev.sublet.operator;

import static java.util.Objects.requireNonNull;

/**
 * A hint that an operator can compute one output in the buffer of one input.
 *
 * <p>{@link OperatorCatalog#inPlacePairs} says for which program versions the pair is on.
 *
 * @param input the input slot; its first argument is meant
 * @param output the output slot; its first argument is meant
 * @param versions where Paddle's own table lists the pair, comma-separated: {@code 1.5}, {@code
 *     2.2m} (macro activations), {@code HEAD}, {@code yaml}
 */
public record InPlacePair(String input, String output, String versions) {

  public InPlacePair {
    requireNonNull(input, "input");
    requireNonNull(output, "output");
    requireNonNull(versions, "versions");
  }
}
