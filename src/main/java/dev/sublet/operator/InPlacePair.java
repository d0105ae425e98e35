package dev.sublet.operator;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableSet;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;

/**
 * A hint that an operator can compute one output in the buffer of one input.
 *
 * <p>{@link OperatorCatalog#inPlacePairs} says for which program versions the pair is on.
 *
 * @param input the input slot; its first argument is meant
 * @param output the output slot; its first argument is meant
 * @param versions where Paddle's own table lists the pair, comma-separated: {@code 1.5}, {@code
 *     2.2m} (macro activations), {@code HEAD}, {@code yaml}; or {@code verified}, where a run has
 *     shown that it works, and for operators of ONNX, where their definition says that it does
 * @param apartWith input slots beside which the two must stay two variables
 */
public record InPlacePair(
    String input, String output, String versions, ImmutableSet<String> apartWith) {

  public InPlacePair {
    requireNonNull(input, "input");
    requireNonNull(output, "output");
    requireNonNull(versions, "versions");
    requireNonNull(apartWith, "apartWith");
  }

  /** A pair for which nothing keeps the two from having one name. */
  public InPlacePair(String input, String output, String versions) {
    this(input, output, versions, ImmutableSet.of());
  }

  /**
   * Whether the two arguments can be one variable, and not only two in one buffer. Where an
   * operator takes its output's shape from a tensor, a runtime first sets a provisional shape,
   * which would be that of the input too, and the operator then computes with it. O(slots).
   */
  public boolean canShareName(Operation operation) {
    return apartWith.stream().allMatch(slot -> operation.firstInput(slot) < 0);
  }

  /**
   * The argument that an operator could work in place on: the first of the input slot, if the
   * operator reads it once and does not write it; else {@link Program#NO_VARIABLE}. O(arguments).
   */
  public int source(Operation operation) {
    int position = operation.firstInput(input);
    int source = position < 0 ? Program.NO_VARIABLE : operation.input(position);
    boolean legal = operation.countInputs(source) == 1 && operation.countOutputs(source) == 0;
    return legal ? source : Program.NO_VARIABLE;
  }

  /**
   * The argument that an operator could compute in place: the first of the output slot, if the
   * operator writes it once and does not read it; else {@link Program#NO_VARIABLE}. O(arguments).
   */
  public int target(Operation operation) {
    int position = operation.firstOutput(output);
    int target = position < 0 ? Program.NO_VARIABLE : operation.output(position);
    boolean legal = operation.countOutputs(target) == 1 && operation.countInputs(target) == 0;
    return legal ? target : Program.NO_VARIABLE;
  }
}
