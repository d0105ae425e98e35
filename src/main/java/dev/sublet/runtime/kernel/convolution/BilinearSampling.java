package dev.sublet.runtime.kernel.convolution;

import static dev.sublet.runtime.kernel.Indices.loop;
import static dev.sublet.runtime.kernel.Indices.number;
import static dev.sublet.runtime.kernel.Indices.over;

import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.ir.UnaryOperator;
import dev.sublet.runtime.micro.op.MicroValue;
import dev.sublet.runtime.tensor.ElementType;

/**
 * Bilinear sampling of images at arbitrary points. The value at a point is the mean of the four
 * elements around it, weighted by their proximity; elements outside the image are zero.
 *
 * <p>Coordinates are tensors with the axes image, group of channels, point; all channels of a group
 * are sampled at the same points. The derivative with respect to a coordinate is the slope between
 * two elements.
 */
final class BilinearSampling {

  private final Formula f;
  private final MicroValue images;
  private final long channels;
  private final long height;
  private final long width;

  /**
   * @param images images with the axes image, channel, row, column
   */
  BilinearSampling(Formula f, MicroValue images) {
    long[] shape = f.shape(images);
    this.f = f;
    this.images = f.reshape(images, shape[0], shape[1], shape[2] * shape[3]);
    this.channels = shape[1];
    this.height = shape[2];
    this.width = shape[3];
  }

  /** Returns the values at points, with the axes image, channel, point. */
  MicroValue at(MicroValue y, MicroValue x) {
    MicroValue top = f.apply(UnaryOperator.FLOOR, y);
    MicroValue left = f.apply(UnaryOperator.FLOOR, x);
    MicroValue bottom = f.plus(top, 1.0);
    MicroValue right = f.plus(left, 1.0);
    MicroValue fromTop = f.minus(y, top);
    MicroValue fromLeft = f.minus(x, left);
    MicroValue toBottom = f.minus(1, fromTop);
    MicroValue toRight = f.minus(1, fromLeft);
    MicroValue above =
        f.plus(
            weighted(top, left, f.times(toBottom, toRight)),
            weighted(top, right, f.times(toBottom, fromLeft)));
    MicroValue below =
        f.plus(
            weighted(bottom, left, f.times(fromTop, toRight)),
            weighted(bottom, right, f.times(fromTop, fromLeft)));
    return f.plus(above, below);
  }

  /** Returns the elements that are nearest to points, with the axes image, channel, point. */
  MicroValue nearest(MicroValue y, MicroValue x) {
    MicroValue row = f.apply(UnaryOperator.ROUND, y);
    MicroValue column = f.apply(UnaryOperator.ROUND, x);
    return weighted(row, column, f.filled(f.type(y), 1, f.shape(y)));
  }

  /** Returns elements times weights; 0 outside the image. */
  private MicroValue weighted(MicroValue row, MicroValue column, MicroValue weight) {
    MicroValue isInside =
        f.apply(BinaryOperator.AND, isWithin(row, height), isWithin(column, width));
    MicroValue kept = f.graph().choose(isInside, weight, f.number(weight, 0));
    MicroValue place = f.plus(f.times(integer(row), width), integer(column));
    place = f.graph().choose(isInside, place, f.number(place, 0));
    return f.times(f.graph().select(2, images, ofChannels(place)), ofChannels(kept));
  }

  private MicroValue isWithin(MicroValue index, long extent) {
    return f.apply(
        BinaryOperator.AND,
        f.apply(BinaryOperator.GREATER_EQUAL, index, 0.0),
        f.apply(BinaryOperator.LESS_EQUAL, index, (double) (extent - 1)));
  }

  private MicroValue integer(MicroValue index) {
    return f.graph().cast(ElementType.INT64, index);
  }

  /** Repeats a value per group of channels for each channel of the group. */
  MicroValue ofChannels(MicroValue x) {
    long[] shape = f.shape(x);
    return f.reindex(
        x,
        new long[] {shape[0], channels, shape[2]},
        loop(0),
        shape[1] == 1 ? number(0) : over(loop(1), channels / shape[1]),
        loop(2));
  }
}
