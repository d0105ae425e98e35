package dev.sublet.runtime.kernel.convolution;

import static dev.sublet.runtime.kernel.Indices.loop;
import static dev.sublet.runtime.kernel.Indices.number;

import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.IntegerArguments;
import dev.sublet.runtime.kernel.KernelRegistry;
import dev.sublet.runtime.kernel.LoweringCall;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.ir.UnaryOperator;
import dev.sublet.runtime.micro.op.MicroValue;
import dev.sublet.runtime.tensor.ElementType;

/**
 * Sampling of images at a grid of points, and grids of affine maps.
 *
 * <p>Source: {@code grid_sample_kernel.cc} and {@code affine_grid_op.h} of Paddle 2.3.
 */
public final class SamplingLowerings {

  private SamplingLowerings() {}

  /** Registers the kernels. */
  public static void register(KernelRegistry.Builder kernels) {
    kernels.differentiated(
        "affine_grid", SamplingLowerings::affineGrid, SamplingLowerings::affineGridOfAny);
    kernels.differentiated("grid_sampler", SamplingLowerings::gridSampler);
  }

  /**
   * Lowers {@code grid_sampler}: {@code Output} has, for each point (x, y) of the grid, the value
   * of the image at this point. Coordinates range from -1 to 1.
   */
  private static void gridSampler(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    MicroValue images = lowering.in("X");
    MicroValue grid = lowering.in("Grid");
    long[] shape = f.shape(images);
    long[] points = f.shape(grid);
    if (shape.length != 4 || points.length != 4 || points[3] != 2) {
      throw new OperatorException("a grid of " + points.length + " axes, not of pairs in a plane");
    }
    MicroValue x = coordinate(f, call, grid, 0, shape[3]);
    MicroValue y = coordinate(f, call, grid, 1, shape[2]);
    BilinearSampling sampling = new BilinearSampling(f, images);
    String mode = call.text("mode", "bilinear");
    MicroValue sampled =
        switch (mode) {
          case "bilinear" -> sampling.at(y, x);
          case "nearest" -> sampling.nearest(y, x);
          default -> throw new OperatorException("mode " + mode);
        };
    lowering.out("Output", f.reshape(sampled, shape[0], shape[1], points[1], points[2]));
  }

  /**
   * Returns one coordinate of all points in units of image elements, with the axes image, 1, point.
   */
  private static MicroValue coordinate(
      Formula f, OperatorCall call, MicroValue grid, long which, long extent) {
    long[] points = f.shape(grid);
    long count = points[1] * points[2];
    MicroValue pairs = f.reshape(grid, points[0], count, 2);
    MicroValue given =
        f.reindex(pairs, new long[] {points[0], 1, count}, loop(0), loop(2), number(which));
    boolean aligns = call.flag("align_corners", true);
    double last = extent - 1;
    MicroValue steps =
        aligns
            ? f.times(f.plus(given, 1.0), last / 2)
            : f.plus(f.times(f.plus(given, 1.0), (last + 1) / 2), -0.5);
    String mode = call.text("padding_mode", "zeros");
    return switch (mode) {
      case "zeros" -> steps;
      case "border" -> limited(f, steps, last);
      case "reflection" ->
          aligns
              ? reflected(f, steps, 2 * last)
              : limited(f, f.plus(reflected(f, f.plus(steps, 0.5), 2 * (last + 1)), -0.5), last);
      default -> throw new OperatorException("padding_mode " + mode);
    };
  }

  private static MicroValue limited(Formula f, MicroValue x, double last) {
    return f.apply(BinaryOperator.MAXIMUM, f.apply(BinaryOperator.MINIMUM, x, last), 0.0);
  }

  /** Returns coordinates reflected at 0 and at half the period. */
  private static MicroValue reflected(Formula f, MicroValue x, double period) {
    if (period == 0) {
      return f.times(x, 0.0);
    }
    MicroValue distance = f.apply(UnaryOperator.ABSOLUTE, x);
    MicroValue times = f.apply(UnaryOperator.FLOOR, f.over(distance, period));
    MicroValue rest = f.minus(distance, f.times(times, period));
    return f.apply(BinaryOperator.MINIMUM, rest, f.minus(period, rest));
  }

  /**
   * Lowers {@code affine_grid}: {@code Output} has, for each pixel, the product of a 2 × 3 matrix
   * and (x, y, 1).
   */
  private static void affineGrid(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    long[] images = imagesOfGrid(lowering.call());
    MicroValue theta = lowering.in("Theta");
    long[] grid = {f.shape(theta)[0], images[2], images[3], 2};
    boolean aligns = lowering.call().flag("align_corners", true);
    ElementType type = f.type(theta);
    MicroValue x = f.along(between(f, type, images[3], aligns), grid, 2);
    MicroValue y = f.along(between(f, type, images[2], aligns), grid, 1);
    MicroValue moved = f.reindex(theta, grid, loop(0), loop(3), number(2));
    MicroValue byX = f.times(f.reindex(theta, grid, loop(0), loop(3), number(0)), x);
    MicroValue byY = f.times(f.reindex(theta, grid, loop(0), loop(3), number(1)), y);
    lowering.out("Output", f.plus(f.plus(byX, byY), moved));
  }

  /** Lowers {@code affine_grid} for the gradient operator, which does not have the matrices. */
  private static void affineGridOfAny(LoweringCall lowering) {
    long images = imagesOfGrid(lowering.call())[0];
    lowering.assume("Theta", "Output@GRAD", ImmutableLongArray.of(images, 2, 3));
    affineGrid(lowering);
  }

  private static long[] imagesOfGrid(OperatorCall call) {
    long[] images = IntegerArguments.of(call, "output_shape", "OutputShape");
    if (images.length != 4) {
      throw new OperatorException("a grid for images of " + images.length + " axes");
    }
    return images;
  }

  /**
   * Returns evenly spaced numbers from -1 to 1: including both ends, or at the middles of equal
   * parts.
   */
  private static MicroValue between(Formula f, ElementType type, long count, boolean aligns) {
    if (aligns && count < 2) {
      throw new OperatorException("a grid of one pixel whose corners are aligned");
    }
    double step = aligns ? 2.0 / (count - 1) : 2.0 / count;
    double start = aligns ? -1 : -(double) (count - 1) / count;
    MicroValue index = f.graph().cast(type, f.position(new long[] {count}, loop(0)));
    return f.plus(f.times(index, step), start);
  }
}
