package dev.sublet.runtime.kernel.onnx.layer;

import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.Indices;
import dev.sublet.runtime.kernel.IntegerArguments;
import dev.sublet.runtime.kernel.LoweringCall;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.kernel.onnx.OnnxFamily;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.op.MicroValue;
import dev.sublet.runtime.micro.op.Reduction;
import dev.sublet.runtime.tensor.ElementType;
import java.util.Arrays;

/** Sampling of images at the points of a grid, and the grids of affine maps. */
public final class OnnxGridSampling {

  private OnnxGridSampling() {}

  /** Registers the kernels. */
  public static void register(OnnxFamily family) {
    family.numbers("GridSample", OnnxGridSampling::sample);
    family.numbers("com.microsoft.GridSample", OnnxGridSampling::sample);
    family.numbers("AffineGrid", OnnxGridSampling::affine);
  }

  /**
   * Lowers GridSample. The coordinates in the last axis of the grid, the innermost axis first, are
   * from -1 to 1. Each value is a weighted sum of the elements around a point; the neighbors along
   * all axes are one loop.
   */
  private static void sample(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    MicroValue images = lowering.in("0");
    long[] shape = Shapes.ofRankFrom(3, f.shape(images), "input 0");
    int axes = shape.length - 2;
    MicroValue grid = lowering.in("1");
    long[] points = Shapes.ofRank(axes + 2, f.shape(grid), "the grid");
    if (points[axes + 1] != axes || points[0] != shape[0]) {
      throw new OperatorException("a grid without " + axes + " coordinates for each image");
    }
    long count = Shapes.count(points, 1, axes + 1);
    MicroValue flat = f.reshape(f.as(f.type(images), grid), shape[0], count, axes);
    MicroValue places = f.as(ElementType.INT64, f.filled(ElementType.INT32, 0, shape[0], count));
    MicroValue weights = f.filled(f.type(images), 1, shape[0], count);
    SampledAxis.Rule rule = SampledAxis.Rule.of(call);
    long taps = 1;
    for (int i = 0; i < axes; i++) {
      MicroValue at =
          f.reindex(
              flat,
              new long[] {shape[0], count},
              Indices.loop(0),
              Indices.loop(1),
              Indices.number(axes - 1 - i));
      SampledAxis axis = SampledAxis.of(f, at, shape[i + 2], rule);
      long[] all = {shape[0], count, taps, rule.taps()};
      MicroValue outer = f.times(f.reshape(places, shape[0], count, taps, 1), shape[i + 2]);
      MicroValue inner = f.reshape(axis.places(), shape[0], count, 1, rule.taps());
      MicroValue weight = f.reshape(axis.weights(), shape[0], count, 1, rule.taps());
      MicroValue before = f.reshape(weights, shape[0], count, taps, 1);
      places = f.plus(f.stretch(outer, all), f.stretch(inner, all));
      weights = f.times(f.stretch(before, all), f.stretch(weight, all));
      taps *= rule.taps();
    }
    MicroValue sums = weightedSums(f, images, places, weights, taps);
    long[] leading = {shape[0], shape[1]};
    long[] extents = Arrays.copyOfRange(points, 1, axes + 1);
    lowering.out("0", f.reshape(sums, Shapes.concat(leading, extents)));
  }

  /** Returns the sums over the neighbors of each point, with the axes image, channel, point. */
  private static MicroValue weightedSums(
      Formula f, MicroValue images, MicroValue places, MicroValue weights, long taps) {
    long[] shape = f.shape(images);
    long count = f.shape(weights)[1];
    long[] all = {shape[0], shape[1], count * taps};
    MicroValue flat = f.reshape(images, shape[0], shape[1], Shapes.count(shape, 2, shape.length));
    MicroValue index = f.along(f.reshape(places, shape[0], count * taps), all, 0, 2);
    MicroValue factor = f.along(f.reshape(weights, shape[0], count * taps), all, 0, 2);
    MicroValue terms = f.times(f.graph().select(2, flat, index), factor);
    return f.reduceAway(Reduction.SUM, f.reshape(terms, shape[0], shape[1], count, taps), 3);
  }

  /** Lowers AffineGrid: the product of matrices with the coordinates of all points of images. */
  private static void affine(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    MicroValue theta = lowering.in("0");
    long[] size = IntegerArguments.elements(call.input("1"));
    int axes = size.length - 2;
    long[] matrices = {size[0], axes, axes + 1};
    if (axes < 2 || !Arrays.equals(f.shape(theta), matrices)) {
      throw new OperatorException("a grid for images of " + size.length + " axes");
    }
    long[] shape = Shapes.concat(Shapes.without(size, 1), new long[] {axes});
    IndexExpression row = Indices.loop(axes + 1);
    MicroValue sum = f.reindex(theta, shape, Indices.loop(0), row, Indices.number(axes));
    for (int i = 0; i < axes; i++) {
      MicroValue factor = f.reindex(theta, shape, Indices.loop(0), row, Indices.number(i));
      int axis = axes - i;
      MicroValue at = coordinate(f, size[axis + 1], call.flag("align_corners", false));
      MicroValue along = f.along(f.as(f.type(theta), at), shape, axis);
      sum = f.plus(sum, f.times(factor, along));
    }
    lowering.out("0", sum);
  }

  /** Returns numbers from -1 to 1: with both ends, or the middles of equal parts. */
  private static MicroValue coordinate(Formula f, long count, boolean aligns) {
    MicroValue index = f.as(ElementType.FLOAT64, f.position(new long[] {count}, Indices.loop(0)));
    return aligns
        ? f.plus(f.times(index, 2.0 / Math.max(count - 1, 1)), -1.0)
        : f.plus(f.times(f.plus(index, 0.5), 2.0 / count), -1.0);
  }
}
