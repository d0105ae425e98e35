package dev.sublet.operator.spec;

import static java.util.Objects.requireNonNull;

import dev.sublet.operator.infer.ShapeMismatchException;
import dev.sublet.operator.infer.UnknownShapeException;

/**
 * Which arguments of an operator are views of each other.
 *
 * @param input the input slot
 * @param output the output slot
 * @param relation what is a part of what
 * @param always whether they are views of each other at every operator of the type
 * @param finder finds the views at an operator
 */
public record ViewRule(
    String input, String output, Relation relation, boolean always, Finder finder) {

  /** What is a part of what. */
  public enum Relation {
    /** The output is the input, in another shape. */
    WHOLE,
    /** Inputs are stretches of the output. */
    INPUT_IN_OUTPUT,
    /** Outputs are stretches of the input. */
    OUTPUT_IN_INPUT
  }

  /** Finds the views at one operator. */
  @FunctionalInterface
  public interface Finder {

    /**
     * Adds the views.
     *
     * @throws UnknownShapeException if there is none because something that it needs is not known
     * @throws ShapeMismatchException if the operator does not accept these shapes
     */
    void find(ViewCall call);
  }

  public ViewRule {
    requireNonNull(input, "input");
    requireNonNull(output, "output");
    requireNonNull(relation, "relation");
    requireNonNull(finder, "finder");
  }

  /** A rule whose views depend on an operator's attributes and shapes. */
  public ViewRule(String input, String output, Relation relation, Finder finder) {
    this(input, output, relation, /* always= */ false, finder);
  }

  /** Whether the output is always the input in another shape, so that to the same one it copies. */
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
