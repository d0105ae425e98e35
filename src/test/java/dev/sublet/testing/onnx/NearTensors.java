package dev.sublet.testing.onnx;

import static com.google.common.truth.Truth.assertWithMessage;

import dev.sublet.runtime.tensor.Tensor;

/**
 * Compares tensors with those of ONNX Runtime. Integers and booleans must be equal. Floating-point
 * numbers may differ, because sums are taken in another order and functions are approximated.
 */
public final class NearTensors {

  /** The relative difference that ONNX's own tests allow. */
  private static final double RELATIVE = 1e-3;

  /** The absolute difference that ONNX's own tests allow. */
  private static final double ABSOLUTE = 1e-7;

  private NearTensors() {}

  /**
   * Checks a tensor with the limits of ONNX's own tests; those of 16 bits are ten times as wide.
   *
   * @param scale elements may also differ by 1e-5 of this number
   */
  public static void check(String what, Tensor computed, Tensor expected, double scale) {
    double relative = computed.type().bytes() > 2 ? RELATIVE : 10 * RELATIVE;
    check(what, computed, expected, relative, ABSOLUTE + 1e-5 * scale);
  }

  /** Checks a tensor with given limits. */
  public static void check(
      String what, Tensor computed, Tensor expected, double relative, double absolute) {
    assertWithMessage("the shape of %s", what).that(computed.shape()).isEqualTo(expected.shape());
    assertWithMessage("the type of %s", what).that(computed.type()).isEqualTo(expected.type());
    if (!computed.type().isFloating()) {
      assertWithMessage(what).that(computed).isEqualTo(expected);
      return;
    }
    for (int i = 0; i < computed.length(); i++) {
      double here = computed.getDouble(i);
      double there = expected.getDouble(i);
      boolean isNear =
          Double.compare(here, there) == 0
              || here == there
              || Math.abs(here - there) <= absolute + relative * Math.abs(there);
      assertWithMessage(
              "%s, element %s: %s, expected %s, all: %s and %s",
              what, i, here, there, computed, expected)
          .that(isNear)
          .isTrue();
    }
  }
}
