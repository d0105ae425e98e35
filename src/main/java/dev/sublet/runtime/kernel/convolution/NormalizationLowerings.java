package dev.sublet.runtime.kernel.convolution;

import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.ImageAxes;
import dev.sublet.runtime.kernel.Indices;
import dev.sublet.runtime.kernel.KernelRegistry;
import dev.sublet.runtime.kernel.Lowering;
import dev.sublet.runtime.kernel.LoweringCall;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.UnaryOperator;
import dev.sublet.runtime.micro.op.MicroValue;
import dev.sublet.runtime.micro.op.Reduction;
import java.util.Arrays;

/** Layer, group, instance and local response normalization, and fixed scales per channel. */
public final class NormalizationLowerings {

  private NormalizationLowerings() {}

  /** Registers the kernels. */
  public static void register(KernelRegistry.Builder kernels) {
    kernels.differentiated(
        "affine_channel",
        NormalizationLowerings::affineChannel,
        lowering -> withAnyBias(lowering, NormalizationLowerings::affineChannel));
    kernels.differentiated("group_norm", NormalizationLowerings::groupNorm);
    kernels.differentiated(
        "instance_norm",
        NormalizationLowerings::instanceNorm,
        lowering -> withAnyBias(lowering, NormalizationLowerings::instanceNorm));
    kernels.differentiated("layer_norm", NormalizationLowerings::layerNorm);
    kernels.differentiated("lrn", NormalizationLowerings::localResponse);
  }

  /**
   * The mean, the variance, and the standardized elements (mean 0, variance 1) over some axes of x.
   */
  private record Standard(MicroValue mean, MicroValue variance, MicroValue normal) {

    static Standard of(Formula f, MicroValue x, double epsilon, int... axes) {
      long[] shape = f.shape(x);
      MicroValue mean = f.reduce(Reduction.MEAN, x, axes);
      MicroValue distance = f.minus(x, f.stretch(mean, shape));
      MicroValue variance = f.reduce(Reduction.MEAN, f.square(distance), axes);
      MicroValue inverse = f.apply(UnaryOperator.RSQRT, f.plus(variance, epsilon));
      return new Standard(mean, variance, f.times(distance, f.stretch(inverse, shape)));
    }
  }

  /**
   * Lowers {@code layer_norm}: {@code Y} is X normalized over the axes from {@code begin_norm_axis}
   * on.
   */
  static void layerNorm(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    MicroValue x = lowering.in("X");
    long[] shape = f.shape(x);
    int begin = (int) call.integer("begin_norm_axis", 1);
    if (begin < 1 || begin >= shape.length) {
      throw new OperatorException("begin_norm_axis " + begin + " of " + shape.length + " axes");
    }
    Standard standard =
        Standard.of(f, x, call.real("epsilon", 1e-5), Shapes.range(begin, shape.length));
    MicroValue y = standard.normal();
    if (call.has("Scale")) {
      y = f.times(y, repeatedRow(f, lowering.in("Scale"), shape, begin));
    }
    if (call.has("Bias")) {
      y = f.plus(y, repeatedRow(f, lowering.in("Bias"), shape, begin));
    }
    lowering.out("Y", y);
    long rows = Shapes.count(shape, 0, begin);
    lowering.out("Mean", f.reshape(standard.mean(), rows));
    lowering.out("Variance", f.reshape(standard.variance(), rows));
  }

  private static MicroValue repeatedRow(Formula f, MicroValue row, long[] shape, int begin) {
    long[] inner = Arrays.copyOfRange(shape, begin, shape.length);
    MicroValue shaped = f.reshape(row, inner);
    return f.along(shaped, shape, Shapes.range(begin, shape.length));
  }

  /**
   * Lowers {@code group_norm}: {@code Y} is X with the channels of each image normalized in {@code
   * groups} groups.
   */
  static void groupNorm(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    ImageAxes layout = ImageAxes.of(call, "data_layout", call.shape("X").length());
    MicroValue x = layout.channelsFirst(f, lowering.in("X"));
    long[] shape = Shapes.ofRankFrom(2, f.shape(x), "X");
    long groups = call.integer("groups", 1);
    if (groups < 1 || shape[1] % groups != 0) {
      throw new OperatorException(shape[1] + " channels in " + groups + " groups");
    }
    long[] grouped =
        Shapes.concat(
            new long[] {shape[0], groups, shape[1] / groups},
            Arrays.copyOfRange(shape, 2, shape.length));
    Standard standard =
        Standard.of(
            f, f.reshape(x, grouped), call.real("epsilon", 1e-5), Shapes.range(2, grouped.length));
    MicroValue y = scaledAndShifted(lowering, f, f.reshape(standard.normal(), shape));
    lowering.out("Y", layout.asWas(f, y));
    lowering.out("Mean", f.reshape(standard.mean(), shape[0], groups));
    lowering.out("Variance", f.reshape(standard.variance(), shape[0], groups));
  }

  /**
   * Lowers {@code instance_norm}: {@code Y} is X with each channel of each image normalized. {@code
   * SavedVariance} is 1/√(variance + epsilon).
   */
  static void instanceNorm(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue x = lowering.in("X");
    long[] shape = Shapes.ofRankFrom(2, f.shape(x), "X");
    double epsilon = lowering.call().real("epsilon", 1e-5);
    Standard standard = Standard.of(f, x, epsilon, Shapes.range(2, shape.length));
    lowering.out("Y", scaledAndShifted(lowering, f, standard.normal()));
    MicroValue inverse = f.apply(UnaryOperator.RSQRT, f.plus(standard.variance(), epsilon));
    lowering.out("SavedMean", f.reshape(standard.mean(), shape[0] * shape[1]));
    lowering.out("SavedVariance", f.reshape(inverse, shape[0] * shape[1]));
  }

  /** Lowers a forward operator for its gradient operator, which has the scale but not the bias. */
  private static void withAnyBias(LoweringCall lowering, Lowering forward) {
    if (lowering.has("Scale")) {
      lowering.assumeLike("Bias", "Scale");
    }
    forward.lower(lowering);
  }

  /**
   * Returns x times {@code Scale} plus {@code Bias}, each with one number per channel, if they are
   * given.
   */
  private static MicroValue scaledAndShifted(LoweringCall lowering, Formula f, MicroValue x) {
    Shapes.ofRankFrom(2, f.shape(x), "X");
    MicroValue y = x;
    if (lowering.has("Scale")) {
      y = f.times(y, f.along(lowering.in("Scale"), f.shape(x), 1));
    }
    if (lowering.has("Bias")) {
      y = f.plus(y, f.along(lowering.in("Bias"), f.shape(x), 1));
    }
    return y;
  }

  /**
   * Lowers {@code affine_channel}: {@code Out} is X times {@code Scale} plus {@code Bias}, each
   * with one number per channel.
   */
  static void affineChannel(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    ImageAxes layout = ImageAxes.of(call, "data_layout", call.shape("X").length());
    MicroValue x = layout.channelsFirst(f, lowering.in("X"));
    lowering.out("Out", layout.asWas(f, scaledAndShifted(lowering, f, x)));
  }

  /**
   * Lowers {@code lrn}. {@code MidOut} is k plus alpha times the sum of squares of the n channels
   * around each channel; {@code Out} is x divided by {@code MidOut} to the power of beta.
   */
  static void localResponse(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    ImageAxes layout = ImageAxes.of(call, "data_format", 4);
    MicroValue x = layout.channelsFirst(f, lowering.in("X"));
    long[] shape = Shapes.ofRank(4, f.shape(x), "X");
    long around = call.integer("n", 5);
    IndexExpression[] at = new IndexExpression[shape.length];
    for (int axis = 0; axis < at.length; axis++) {
      at[axis] = Indices.loop(axis);
    }
    at[1] = Indices.plus(Indices.plus(at[1], Indices.loop(at.length)), -((around - 1) / 2));
    MicroValue squares = f.square(f.reindex(x, Shapes.concat(shape, new long[] {around}), at));
    MicroValue sum = f.reduceAway(Reduction.SUM, squares, shape.length);
    MicroValue middle = f.plus(f.times(sum, call.real("alpha", 1e-4)), call.real("k", 2));
    MicroValue power = f.apply(BinaryOperator.POWER, middle, -call.real("beta", 0.75));
    lowering.out("MidOut", layout.asWas(f, middle));
    lowering.out("Out", layout.asWas(f, f.times(x, power)));
  }
}
