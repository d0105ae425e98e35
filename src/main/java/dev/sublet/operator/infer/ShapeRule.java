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

  /** Whether runs have confirmed that a runtime rejects all inputs that the rule rejects. */
  default boolean rejectsSurely() {
    return false;
  }

  /** Returns this rule with a true {@link #rejectsSurely}: runs have confirmed its rejections. */
  default ShapeRule confirmed() {
    ShapeRule rule = this;
    return new ShapeRule() {
      @Override
      public void infer(ShapeCall call) {
        rule.infer(call);
      }

      @Override
      public boolean rejectsSurely() {
        return true;
      }
    };
  }
}
