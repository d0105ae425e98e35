package dev.sublet.operator.spec;

import dev.sublet.operator.infer.ShapeMismatchException;
import dev.sublet.operator.infer.UnknownShapeException;

/**
 * The rule that finds the arguments of an operator that are views of each other.
 *
 * @param input the input slot
 * @param output the output slot
 * @param relation which argument is a part of the other
 * @param always whether the arguments are views of each other at every operator of the type
 * @param finder finds the views at an operator
 */
public record ViewRule(
    String input, String output, Relation relation, boolean always, Finder finder) {

  /** Which argument is a part of the other. */
  public enum Relation {
    /** The output is the whole input, perhaps in another shape. */
    WHOLE,
    /** Each input is a contiguous part of the output. */
    INPUT_IN_OUTPUT,
    /** Each output is a contiguous part of the input. */
    OUTPUT_IN_INPUT
  }

  /** Finds the views at one operator. */
  @FunctionalInterface
  public interface Finder {

    /**
     * Adds the views.
     *
     * @throws UnknownShapeException if a number that the rule needs is not known: then there is no
     *     view
     * @throws ShapeMismatchException if the operator does not accept these shapes
     */
    void find(ViewCall call);
  }

  /** A rule whose views depend on an operator's attributes and shapes. */
  public ViewRule(String input, String output, Relation relation, Finder finder) {
    this(input, output, relation, /* always= */ false, finder);
  }

  /**
   * Whether the output is always the input in another shape, so that the operator is a copy if both
   * have the same shape.
   */
  public boolean isReshape() {
    return always && relation == Relation.WHOLE;
  }

  /** For example {@code X=Out}, {@code X in Out}, {@code Out in X}. */
  @Override
  public String toString() {
    return switch (relation) {
      case WHOLE -> input + "=" + output;
      case INPUT_IN_OUTPUT -> input + " in " + output;
      case OUTPUT_IN_INPUT -> output + " in " + input;
    };
  }
}
