package dev.sublet.runtime.kernel.onnx.layer;

import dev.sublet.runtime.kernel.OperatorCall;

/**
 * The attributes of Resize that determine coordinates and weights.
 *
 * @param coordinates the transformation of a new index into an old coordinate
 * @param nearest the choice of the nearest element; {@code simple} before opset 11
 * @param cubic the coefficient of the cubic function
 * @param excludesOutside whether points outside of the image have no weight
 * @param smooths whether windows grow with the old extent when an axis shrinks
 */
record ResizeRule(
    String coordinates, String nearest, double cubic, boolean excludesOutside, boolean smooths) {

  /** Reads the attributes. Before opset 11 there were none. */
  static ResizeRule of(OperatorCall call, boolean isOld) {
    return new ResizeRule(
        isOld ? "asymmetric" : call.text("coordinate_transformation_mode", "half_pixel"),
        isOld ? "simple" : call.text("nearest_mode", "round_prefer_floor"),
        call.real("cubic_coeff_a", -0.75),
        call.flag("exclude_outside", false),
        call.flag("antialias", false));
  }
}
