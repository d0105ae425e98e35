package dev.sublet.runtime.kernel.onnx.layer;

import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.Indices;
import dev.sublet.runtime.kernel.LoweringCall;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.kernel.onnx.OnnxFamily;
import dev.sublet.runtime.kernel.onnx.OnnxOperands;
import dev.sublet.runtime.kernel.onnx.product.OnnxPooling;
import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.UnaryOperator;
import dev.sublet.runtime.micro.op.MicroValue;
import dev.sublet.runtime.micro.op.Reduction;
import java.util.Arrays;

/** Normalizations of the channels of images, and of vectors by their norm. */
public final class OnnxNormalizations {

  private OnnxNormalizations() {}

  /** Registers the kernels. */
  public static void register(OnnxFamily family) {
    family.numbers("BatchNormalization", OnnxNormalizations::batch);
    family.numbers("InstanceNormalization", OnnxNormalizations::instance);
    family.numbers("GroupNormalization", OnnxNormalizations::group);
    family.numbers("LRN", OnnxNormalizations::localResponse);
    family.numbers("LpNormalization", OnnxNormalizations::byNorm);
    family.numbers("MeanVarianceNormalization", OnnxNormalizations::meanVariance);
  }

  /**
   * The mean, the variance and the standardized elements (mean 0, variance 1) over some axes.
   *
   * @param mean the mean, with extent 1 along these axes
   * @param variance the mean square of the distances from the mean
   * @param inverse 1/√(variance + epsilon)
   * @param normal the standardized elements
   */
  record Standard(MicroValue mean, MicroValue variance, MicroValue inverse, MicroValue normal) {

    /** Standardizes the elements of x. */
    static Standard of(Formula f, MicroValue x, double epsilon, int... axes) {
      long[] shape = f.shape(x);
      MicroValue mean = f.reduce(Reduction.MEAN, x, axes);
      MicroValue distance = f.minus(x, f.stretch(mean, shape));
      MicroValue variance = f.reduce(Reduction.MEAN, f.square(distance), axes);
      MicroValue inverse = f.apply(UnaryOperator.RSQRT, f.plus(variance, epsilon));
      MicroValue normal = f.times(distance, f.stretch(inverse, shape));
      return new Standard(mean, variance, inverse, normal);
    }
  }

  /**
   * Lowers BatchNormalization. Inputs: x, scale, bias, mean, variance. In training, mean and
   * variance are those of x, and outputs 1 and 2 are the given ones moved towards them.
   */
  private static void batch(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    if (call.integer("spatial", 1) == 0) {
      throw new OperatorException("spatial is 0: statistics of single elements");
    }
    MicroValue x = lowering.in("0");
    MicroValue mean = f.as(f.type(x), lowering.in("3"));
    MicroValue variance = f.as(f.type(x), lowering.in("4"));
    if (call.flag("training_mode", false)) {
      int rank = Shapes.ofRankFrom(2, f.shape(x), "input 0").length;
      int[] others = Shapes.range(1, rank);
      others[0] = 0;
      Standard standard = Standard.of(f, x, 0, others);
      double momentum = call.real("momentum", 0.9);
      MicroValue own = f.reshape(standard.mean(), f.shape(mean));
      lowering.out("1", f.plus(f.times(mean, momentum), f.times(own, 1 - momentum)));
      mean = own;
      own = f.reshape(standard.variance(), f.shape(variance));
      lowering.out("2", f.plus(f.times(variance, momentum), f.times(own, 1 - momentum)));
      variance = own;
    }
    MicroValue inverse = f.apply(UnaryOperator.RSQRT, f.plus(variance, call.real("epsilon", 1e-5)));
    MicroValue factor = f.times(f.as(f.type(x), lowering.in("1")), inverse);
    MicroValue moved = f.minus(f.as(f.type(x), lowering.in("2")), f.times(mean, factor));
    lowering.out("0", f.plus(f.times(x, ofChannels(f, factor, x)), ofChannels(f, moved, x)));
  }

  /** Returns one number per channel in the shape of images. */
  private static MicroValue ofChannels(Formula f, MicroValue numbers, MicroValue images) {
    long[] shape = f.shape(images);
    return shape.length < 2
        ? OnnxOperands.single(f, numbers)
        : OnnxOperands.along(f, numbers, shape, 1);
  }

  private static MicroValue scaledAndShifted(LoweringCall lowering, Formula f, MicroValue x) {
    MicroValue scaled = f.times(x, ofChannels(f, lowering.in("1"), x));
    return f.plus(scaled, ofChannels(f, lowering.in("2"), x));
  }

  private static void instance(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue x = lowering.in("0");
    int rank = Shapes.ofRankFrom(3, f.shape(x), "input 0").length;
    double epsilon = lowering.call().real("epsilon", 1e-5);
    MicroValue normal = Standard.of(f, x, epsilon, Shapes.range(2, rank)).normal();
    lowering.out("0", scaledAndShifted(lowering, f, normal));
  }

  /** Lowers GroupNormalization, whose scale and bias are per channel, or, before 21, per group. */
  private static void group(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    MicroValue x = lowering.in("0");
    long[] shape = Shapes.ofRankFrom(2, f.shape(x), "input 0");
    long groups = call.integer("num_groups", 1);
    if (groups < 1 || shape[1] % groups != 0) {
      throw new OperatorException(shape[1] + " channels in " + groups + " groups");
    }
    long[] grouped =
        Shapes.concat(
            new long[] {shape[0], groups, shape[1] / groups},
            Arrays.copyOfRange(shape, 2, shape.length));
    int[] inner = Shapes.range(2, grouped.length);
    double epsilon = call.real("epsilon", 1e-5);
    MicroValue normal = Standard.of(f, f.reshape(x, grouped), epsilon, inner).normal();
    boolean isPerGroup = call.shape("1", 1).get(0) == groups && groups != shape[1];
    if (!isPerGroup) {
      normal = f.reshape(normal, shape);
    }
    lowering.out("0", f.reshape(scaledAndShifted(lowering, f, normal), shape));
  }

  /** Lowers LRN: x / (bias + alpha · mean of the squares of the channels around)^beta. */
  private static void localResponse(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    MicroValue x = lowering.in("0");
    long[] shape = Shapes.ofRankFrom(3, f.shape(x), "input 0");
    long around = call.integer("size", 0);
    if (around < 1) {
      throw new OperatorException("a size of " + around);
    }
    IndexExpression[] at = new IndexExpression[shape.length];
    Arrays.setAll(at, Indices::loop);
    at[1] = Indices.plus(Indices.plus(at[1], Indices.loop(at.length)), -((around - 1) / 2));
    MicroValue squares = f.square(f.reindex(x, Shapes.concat(shape, new long[] {around}), at));
    MicroValue sum = f.reduceAway(Reduction.SUM, squares, shape.length);
    MicroValue base = f.times(sum, call.real("alpha", 1e-4) / around);
    base = f.plus(base, call.real("bias", 1));
    MicroValue factor = f.apply(BinaryOperator.POWER, base, -call.real("beta", 0.75));
    lowering.out("0", f.times(x, factor));
  }

  private static void byNorm(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    MicroValue x = lowering.in("0");
    double p = call.real("p", 2);
    int axis = Shapes.axis(call.integer("axis", -1), f.rank(x));
    MicroValue sum = f.reduce(Reduction.SUM, OnnxPooling.powers(f, x, p), axis);
    MicroValue norm = OnnxPooling.root(f, sum, p);
    MicroValue isZero = f.apply(BinaryOperator.EQUAL, norm, 0.0);
    MicroValue divisor = f.graph().choose(isZero, f.number(norm, 1), norm);
    lowering.out("0", f.over(x, f.stretch(divisor, f.shape(x))));
  }

  /** Lowers MeanVarianceNormalization: (x - mean) / (standard deviation + 1e-9). */
  private static void meanVariance(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    MicroValue x = lowering.in("0");
    int[] axes =
        call.integers("axes").stream().mapToInt(axis -> Shapes.axis(axis, f.rank(x))).toArray();
    if (axes.length == 0) {
      axes = call.flag("across_channels", false) ? new int[] {0, 1, 2, 3} : new int[] {0, 2, 3};
    }
    long[] shape = f.shape(x);
    MicroValue mean = f.reduce(Reduction.MEAN, x, axes);
    MicroValue squares = f.reduce(Reduction.MEAN, f.square(x), axes);
    MicroValue deviation = f.plus(f.sqrt(f.minus(squares, f.square(mean))), 1e-9);
    MicroValue distance = f.minus(x, f.stretch(mean, shape));
    lowering.out("0", f.over(distance, f.stretch(deviation, shape)));
  }
}
