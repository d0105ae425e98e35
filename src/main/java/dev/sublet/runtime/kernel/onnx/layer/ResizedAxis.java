package dev.sublet.runtime.kernel.onnx.layer;

import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.Indices;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.ir.UnaryOperator;
import dev.sublet.runtime.micro.op.MicroValue;
import dev.sublet.runtime.micro.op.Reduction;
import dev.sublet.runtime.tensor.ElementType;

/**
 * The interpolation along one axis. Coordinates and weights are FLOAT32, as in ONNX Runtime.
 *
 * @param axis the axis
 * @param extent the old extent
 * @param size the new extent
 * @param scale the number of new elements per old element
 * @param start the begin of the region to resize, as a part of the extent
 * @param end its end
 * @param rule the attributes
 */
record ResizedAxis(
    int axis, long extent, long size, float scale, float start, float end, ResizeRule rule) {

  /** Whether all elements stay in their places. */
  boolean isSame() {
    return extent == size && scale == 1;
  }

  /** Whether only a region is resized, so that coordinates may be outside of the image. */
  boolean crops() {
    return rule.coordinates().equals("tf_crop_and_resize");
  }

  /** Returns the old coordinates of the new indices. */
  private MicroValue coordinates(Formula f) {
    MicroValue index = f.as(ElementType.FLOAT32, f.position(new long[] {size}, Indices.loop(0)));
    return switch (rule.coordinates()) {
      case "half_pixel" -> halfPixel(f, index);
      case "half_pixel_symmetric" -> {
        float adjustment = size / (scale * extent);
        float center = extent / 2f;
        yield f.plus(halfPixel(f, index), center * (1 - adjustment));
      }
      case "pytorch_half_pixel" -> size > 1 ? halfPixel(f, index) : f.times(index, 0.0);
      case "tf_half_pixel_for_nn" -> f.over(f.plus(index, 0.5), scale);
      case "align_corners" ->
          size == 1
              ? f.times(index, 0.0)
              : f.over(f.times(index, (double) (extent - 1)), (double) (size - 1));
      case "asymmetric" -> f.over(index, scale);
      case "tf_crop_and_resize" -> cropped(f, index);
      default -> throw new OperatorException("the coordinates " + rule.coordinates());
    };
  }

  private MicroValue halfPixel(Formula f, MicroValue index) {
    return f.plus(f.over(f.plus(index, 0.5), scale), -0.5);
  }

  private MicroValue cropped(Formula f, MicroValue index) {
    float last = extent - 1;
    if (size == 1) {
      return f.plus(f.times(index, 0.0), 0.5f * (start + end) * last);
    }
    MicroValue inside = f.over(f.times(index, (end - start) * last), (double) (size - 1));
    return f.plus(inside, start * last);
  }

  private MicroValue limited(Formula f, MicroValue x) {
    MicroValue least = f.apply(BinaryOperator.MAXIMUM, x, 0.0);
    return f.apply(BinaryOperator.MINIMUM, least, (double) (extent - 1));
  }

  /** Returns the nearest elements of x. */
  MicroValue nearest(Formula f, MicroValue x) {
    MicroValue at = coordinates(f);
    MicroValue place =
        switch (rule.nearest()) {
          case "simple" -> f.apply(scale < 1 ? UnaryOperator.CEIL : UnaryOperator.FLOOR, at);
          case "floor" -> f.apply(UnaryOperator.FLOOR, at);
          case "ceil" -> f.apply(UnaryOperator.CEIL, at);
          case "round_prefer_ceil" -> f.apply(UnaryOperator.FLOOR, f.plus(at, 0.5));
          default -> f.apply(UnaryOperator.CEIL, f.plus(at, -0.5));
        };
    return picked(f, x, limited(f, place), size);
  }

  /** Returns the elements of x at places along the axis. */
  private MicroValue picked(Formula f, MicroValue x, MicroValue places, long count) {
    long[] shape = Shapes.with(f.shape(x), axis, count);
    MicroValue index = f.as(ElementType.INT64, places);
    return f.graph().select(axis, x, f.along(index, shape, axis));
  }

  /** Returns means of two neighbors, or of more if the axis shrinks smoothly. */
  MicroValue linear(Formula f, MicroValue x) {
    MicroValue at = coordinates(f);
    if (rule.smooths()) {
      return smoothed(f, x, at, /* isCubic= */ false);
    }
    at = limited(f, at);
    return weighted(f, x, at, f.apply(UnaryOperator.FLOOR, at), new Taps(2, 1, false));
  }

  /** Returns sums of four neighbors, or of more if the axis shrinks smoothly. */
  MicroValue cubic(Formula f, MicroValue x) {
    MicroValue at = coordinates(f);
    return rule.smooths()
        ? smoothed(f, x, at, /* isCubic= */ true)
        : weighted(f, x, at, f.plus(f.apply(UnaryOperator.FLOOR, at), -1.0), new Taps(4, 1, true));
  }

  private MicroValue smoothed(Formula f, MicroValue x, MicroValue at, boolean isCubic) {
    float shrinkage = Math.max(1 / scale, 1);
    float reach = (isCubic ? 2 : 1) * shrinkage;
    MicroValue first = f.apply(UnaryOperator.FLOOR, f.plus(at, 1.0 - reach));
    long count = 2 * (long) Math.ceil(reach) + 1;
    return weighted(f, x, at, first, new Taps(count, 1 / shrinkage, isCubic));
  }

  /**
   * The weights of neighbors.
   *
   * @param count the number of neighbors
   * @param narrowing the factor of the distances of which the weights are a function
   * @param isCubic whether the function is cubic, not linear
   */
  private record Taps(long count, double narrowing, boolean isCubic) {}

  /**
   * Returns weighted sums of neighbors.
   *
   * @param at the coordinates
   * @param first the places of the first neighbors
   */
  private MicroValue weighted(Formula f, MicroValue x, MicroValue at, MicroValue first, Taps taps) {
    long[] all = {size, taps.count()};
    MicroValue step = f.as(ElementType.FLOAT32, f.position(all, Indices.loop(1)));
    MicroValue places = f.plus(f.along(first, all, 0), step);
    MicroValue limited = limited(f, places);
    MicroValue distance = f.apply(UnaryOperator.ABSOLUTE, f.minus(places, f.along(at, all, 0)));
    distance = f.times(distance, taps.narrowing());
    MicroValue weights =
        taps.isCubic()
            ? cubic(f, distance, rule.cubic())
            : f.apply(BinaryOperator.MAXIMUM, f.minus(1, distance), 0.0);
    if (rule.excludesOutside()) {
      MicroValue isInside = f.apply(BinaryOperator.EQUAL, places, limited);
      weights = f.graph().choose(isInside, weights, f.number(weights, 0));
    }
    if (rule.excludesOutside() || rule.smooths()) {
      weights = f.over(weights, f.stretch(f.reduce(Reduction.SUM, weights, 1), all));
    }
    return summed(f, x, f.reshape(limited, size * taps.count()), weights);
  }

  /** Returns the cubic function of distances with a coefficient; 0 from a distance of 2 on. */
  static MicroValue cubic(Formula f, MicroValue d, double a) {
    // ((a + 2) d - (a + 3)) d² + 1
    MicroValue near = f.plus(f.times(f.plus(f.times(d, a + 2), -(a + 3)), f.square(d)), 1.0);
    // ((a d - 5 a) d + 8 a) d - 4 a
    MicroValue far = f.plus(f.times(f.plus(f.times(d, a), -5 * a), d), 8 * a);
    far = f.plus(f.times(far, d), -4 * a);
    MicroValue isFar = f.apply(BinaryOperator.GREATER_EQUAL, d, 1.0);
    MicroValue isBeyond = f.apply(BinaryOperator.GREATER_EQUAL, d, 2.0);
    MicroValue weights = f.graph().choose(isFar, far, near);
    return f.graph().choose(isBeyond, f.number(d, 0), weights);
  }

  /** Returns the sums of weights times the elements at places, which are along the axis. */
  private MicroValue summed(Formula f, MicroValue x, MicroValue places, MicroValue weights) {
    long[] whole = f.shape(x);
    long count = f.shape(weights)[1];
    MicroValue elements = picked(f, x, places, size * count);
    long[] split = new long[whole.length + 1];
    System.arraycopy(whole, 0, split, 0, axis);
    System.arraycopy(whole, axis + 1, split, axis + 2, whole.length - axis - 1);
    split[axis] = size;
    split[axis + 1] = count;
    MicroValue factors = f.along(f.as(f.type(x), weights), split, axis, axis + 1);
    MicroValue terms = f.times(f.reshape(elements, split), factors);
    MicroValue sums = f.reduce(Reduction.SUM, terms, axis + 1);
    return f.reshape(sums, Shapes.with(whole, axis, size));
  }

  /** Returns x with one number where coordinates are outside of the image. */
  MicroValue extrapolated(Formula f, MicroValue x, double outside) {
    MicroValue at = coordinates(f);
    MicroValue isInside = f.apply(BinaryOperator.EQUAL, at, limited(f, at));
    MicroValue kept = f.along(isInside, f.shape(x), axis);
    return f.graph().choose(kept, x, f.number(x, outside));
  }
}
