package dev.sublet.runtime.kernel.convolution;

import static java.util.Objects.requireNonNull;

import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.ImageAxes;
import dev.sublet.runtime.kernel.Indices;
import dev.sublet.runtime.kernel.KernelRegistry;
import dev.sublet.runtime.kernel.LoweringCall;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.ir.UnaryOperator;
import dev.sublet.runtime.micro.op.MicroValue;
import dev.sublet.runtime.tensor.ElementType;

/**
 * Interpolation of images to other extents: by the nearest element, or by weighted means of two
 * elements per axis ({@code linear}, {@code bilinear}, {@code trilinear}) or of four ({@code
 * bicubic}).
 *
 * <p>The axes are scaled one after the other. Positions are rounded as in Paddle, because otherwise
 * another element could be the nearest: with {@code float} in general, with {@code double} where
 * halves matter.
 *
 * <p>Source of the cubic weights: R. Keys, "Cubic convolution interpolation for digital image
 * processing", 1981, with a = -3/4.
 */
public final class InterpolationLowerings {

  private static final double KEYS = -0.75;

  private InterpolationLowerings() {}

  /** Registers the kernels. */
  public static void register(KernelRegistry.Builder kernels) {
    for (String method : new String[] {"linear", "bilinear", "trilinear", "nearest", "bicubic"}) {
      kernels.differentiated(method + "_interp", lowering -> interpolate(lowering, method));
      kernels.differentiated(method + "_interp_v2", lowering -> interpolate(lowering, method));
    }
  }

  /** Scales one axis. */
  private interface AxisRule {

    MicroValue along(Formula f, MicroValue x, Scaling scaling, int axis);
  }

  private static AxisRule rule(String method) {
    return switch (method) {
      case "linear", "bilinear", "trilinear" -> InterpolationLowerings::linear;
      case "nearest" -> InterpolationLowerings::nearest;
      case "bicubic" -> InterpolationLowerings::cubic;
      default -> throw new OperatorException("interp_method " + method);
    };
  }

  /**
   * Lowers an interpolation. The attribute {@code interp_method} takes precedence over the method
   * of the operator type.
   */
  private static void interpolate(LoweringCall lowering, String method) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    AxisRule rule = rule(call.text("interp_method", method));
    ImageAxes layout = ImageAxes.of(call, "data_layout", call.shape("X").length());
    MicroValue x = layout.channelsFirst(f, lowering.in("X"));
    Scaling[] scalings = Scaling.of(call, f.shape(x));
    for (int i = 0; i < scalings.length; i++) {
      x = rule.along(f, x, scalings[i], i + 2);
    }
    lowering.out("Out", layout.asWas(f, x));
  }

  /** Returns the indices 0, 1, … along the new axis, converted to a type. */
  private static MicroValue places(Formula f, Scaling scaling, ElementType type) {
    MicroValue index = f.position(new long[] {scaling.size()}, Indices.loop(0));
    return f.graph().cast(type, index);
  }

  /** Returns the positions of the new elements' middles between the middles of the old elements. */
  private static MicroValue betweenMiddles(Formula f, Scaling scaling) {
    MicroValue middle = f.plus(places(f, scaling, ElementType.FLOAT64), 0.5);
    return f.plus(f.times(middle, scaling.ratio()), -0.5);
  }

  private static MicroValue truncated(Formula f, MicroValue position) {
    return f.graph().cast(ElementType.INT64, position);
  }

  /**
   * Returns the elements of x at indices along an axis; indices beyond an end select the element at
   * that end.
   */
  private static MicroValue pick(
      Formula f, MicroValue x, MicroValue index, Scaling scaling, int axis) {
    MicroValue inside = f.apply(BinaryOperator.MINIMUM, index, scaling.extent() - 1);
    inside = f.apply(BinaryOperator.MAXIMUM, inside, 0);
    long[] shape = Shapes.with(f.shape(x), axis, scaling.size());
    return f.graph().select(axis, x, f.along(inside, shape, axis));
  }

  private static MicroValue weighted(Formula f, MicroValue x, MicroValue weight, int axis) {
    MicroValue converted = f.type(x) == f.type(weight) ? weight : f.graph().cast(f.type(x), weight);
    return f.times(x, f.along(converted, f.shape(x), axis));
  }

  private static MicroValue nearest(Formula f, MicroValue x, Scaling scaling, int axis) {
    MicroValue position = f.times(places(f, scaling, ElementType.FLOAT32), scaling.ratio());
    if (scaling.alignsCorners()) {
      position = f.plus(f.graph().cast(ElementType.FLOAT64, position), 0.5);
    }
    return pick(f, x, truncated(f, position), scaling, axis);
  }

  private static MicroValue linear(Formula f, MicroValue x, Scaling scaling, int axis) {
    MicroValue position;
    MicroValue first;
    if (scaling.alignsMiddles()) {
      MicroValue exact = betweenMiddles(f, scaling);
      first = f.apply(BinaryOperator.MAXIMUM, truncated(f, exact), 0);
      position = f.graph().cast(ElementType.FLOAT32, exact);
      position = f.apply(BinaryOperator.MAXIMUM, position, 0);
    } else {
      position = f.times(places(f, scaling, ElementType.FLOAT32), scaling.ratio());
      first = truncated(f, position);
    }
    MicroValue toFirst = f.minus(position, f.graph().cast(ElementType.FLOAT32, first));
    MicroValue left = pick(f, x, first, scaling, axis);
    MicroValue right = pick(f, x, f.plus(first, 1), scaling, axis);
    return f.plus(weighted(f, left, f.minus(1, toFirst), axis), weighted(f, right, toFirst, axis));
  }

  private static MicroValue cubic(Formula f, MicroValue x, Scaling scaling, int axis) {
    MicroValue position =
        scaling.alignsCorners()
            ? f.times(places(f, scaling, ElementType.FLOAT32), scaling.ratio())
            : f.graph().cast(ElementType.FLOAT32, betweenMiddles(f, scaling));
    MicroValue floor = f.apply(UnaryOperator.FLOOR, position);
    MicroValue t = f.minus(position, floor);
    MicroValue first = truncated(f, floor);
    MicroValue[] weights = {
      outerWeight(f, f.plus(t, 1)),
      innerWeight(f, t),
      innerWeight(f, f.minus(1, t)),
      outerWeight(f, f.minus(2, t))
    };
    MicroValue sum = null;
    for (int i = 0; i < weights.length; i++) {
      MicroValue point = pick(f, x, f.plus(first, (long) i - 1), scaling, axis);
      MicroValue part = weighted(f, point, weights[i], axis);
      sum = sum == null ? part : f.plus(sum, part);
    }
    return requireNonNull(sum);
  }

  /** Returns the weight for distances t up to 1: ((a + 2)·t - (a + 3))·t² + 1. */
  private static MicroValue innerWeight(Formula f, MicroValue t) {
    MicroValue line = f.plus(f.times(t, KEYS + 2), -(KEYS + 3));
    return f.plus(f.times(f.times(line, t), t), 1);
  }

  /** Returns the weight for distances t from 1 to 2: ((a·t - 5a)·t + 8a)·t - 4a. */
  private static MicroValue outerWeight(Formula f, MicroValue t) {
    MicroValue line = f.plus(f.times(t, KEYS), -5 * KEYS);
    MicroValue square = f.plus(f.times(line, t), 8 * KEYS);
    return f.plus(f.times(square, t), -4 * KEYS);
  }
}
