package dev.sublet.operator.infer;

/**
 * Computes the shapes of an operator's outputs from its inputs and attributes.
 *
 * <p>A rule may set some outputs and then throw: the shapes that it has set are valid, the other
 * outputs are unknown.
 */
@FunctionalInterface
public interface ShapeRule {

  /**
   * Sets the outputs' shapes.
   *
   * @throws UnknownShapeException if a number that the rule needs is not known
   * @throws ShapeMismatchException if the operator does not accept these shapes
   */
  void infer(ShapeCall call);
}
