package dev.sublet.operator.infer;

/**
 * How the shapes of an operator's outputs follow from its inputs and attributes.
 *
 * <p>A rule may set outputs and then throw: what it has set stands, the others are unknown.
 */
@FunctionalInterface
public interface ShapeRule {

  /**
   * Sets the outputs' shapes.
   *
   * @throws UnknownShapeException if something that it needs is not known
   * @throws ShapeMismatchException if the operator does not accept these shapes
   */
  void infer(ShapeCall call);
}
