package dev.sublet.operator;

import static java.util.Objects.requireNonNull;

import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Slot;
import java.util.Optional;

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

  /**
   * The argument that an operator could work in place on: the first of the input slot, if the
   * operator reads it once and does not write it; else {@link Program#NO_VARIABLE}. O(arguments).
   */
  public int source(Operation operation) {
    int source = firstArgument(operation.inputSlot(input));
    boolean legal = operation.countInputs(source) == 1 && operation.countOutputs(source) == 0;
    return legal ? source : Program.NO_VARIABLE;
  }

  /**
   * The argument that an operator could compute in place: the first of the output slot, if the
   * operator writes it once and does not read it; else {@link Program#NO_VARIABLE}. O(arguments).
   */
  public int target(Operation operation) {
    int target = firstArgument(operation.outputSlot(output));
    boolean legal = operation.countOutputs(target) == 1 && operation.countInputs(target) == 0;
    return legal ? target : Program.NO_VARIABLE;
  }

  private static int firstArgument(Optional<Slot> slot) {
    return slot.isPresent() && slot.get().size() > 0 ? slot.get().variable(0) : Program.NO_VARIABLE;
  }
}
