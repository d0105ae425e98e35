package dev.sublet.runtime.kernel.activation;

import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.KernelRegistry;
import dev.sublet.runtime.kernel.LoweringCall;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.ir.UnaryOperator;
import dev.sublet.runtime.micro.op.MicroValue;
import dev.sublet.runtime.micro.op.Reduction;
import java.util.Arrays;

/** Activation functions. Their attributes have the defaults of Paddle 2.3. */
public final class ActivationLowerings {

  private ActivationLowerings() {}

  /** Registers the kernels. */
  public static void register(KernelRegistry.Builder kernels) {
    function(kernels, "brelu", (f, c, x) -> limited(f, x, c.real("t_min", 0), c.real("t_max", 24)));
    function(kernels, "celu", ActivationLowerings::celu);
    function(kernels, "elu", (f, c, x) -> elu(f, x, c.real("alpha", 1)));
    function(kernels, "gelu", ActivationLowerings::gelu);
    function(kernels, "hard_shrink", ActivationLowerings::hardShrink);
    alone(kernels, "hard_sigmoid", ActivationLowerings::hardSigmoid);
    function(kernels, "hard_swish", ActivationLowerings::hardSwish);
    function(kernels, "leaky_relu", ActivationLowerings::leakyRelu);
    function(kernels, "logsigmoid", (f, c, x) -> logSigmoid(f, x));
    function(kernels, "mish", ActivationLowerings::mish);
    alone(kernels, "relu", (f, c, x) -> f.apply(BinaryOperator.MAXIMUM, x, 0));
    alone(kernels, "relu6", (f, c, x) -> limited(f, x, 0, c.real("threshold", 6)));
    function(kernels, "selu", ActivationLowerings::selu);
    function(kernels, "silu", (f, c, x) -> f.times(x, f.apply(UnaryOperator.SIGMOID, x)));
    function(kernels, "soft_relu", ActivationLowerings::softRelu);
    function(kernels, "softplus", ActivationLowerings::softplus);
    function(kernels, "softshrink", ActivationLowerings::softShrink);
    function(kernels, "softsign", (f, c, x) -> softsign(f, x));
    function(kernels, "stanh", ActivationLowerings::scaledTanh);
    function(kernels, "swish", ActivationLowerings::swish);
    function(kernels, "tanh_shrink", (f, c, x) -> f.minus(x, f.apply(UnaryOperator.TANH, x)));
    function(kernels, "thresholded_relu", ActivationLowerings::thresholdedRelu);
    kernels.differentiated("maxout", ActivationLowerings::maxout);
    kernels.differentiated("prelu", ActivationLowerings::prelu);
  }

  private static void function(
      KernelRegistry.Builder kernels, String type, PointwiseLowering.Function function) {
    kernels.differentiated(type, new PointwiseLowering(function));
  }

  /**
   * Registers a function whose gradient operator has the function's result as input, not its
   * argument. The lowering is not differentiated.
   */
  private static void alone(
      KernelRegistry.Builder kernels, String type, PointwiseLowering.Function function) {
    kernels.lowered(type, new PointwiseLowering(function));
  }

  private static MicroValue limited(Formula f, MicroValue x, double least, double most) {
    return f.apply(BinaryOperator.MINIMUM, f.apply(BinaryOperator.MAXIMUM, x, least), most);
  }

  /** Returns {@code yes} for each element of x that is above a limit, else {@code no}. */
  private static MicroValue above(
      Formula f, MicroValue x, double limit, MicroValue yes, MicroValue no) {
    return f.graph().choose(f.apply(BinaryOperator.GREATER, x, limit), yes, no);
  }

  private static MicroValue celu(Formula f, OperatorCall call, MicroValue x) {
    double alpha = call.real("alpha", 1);
    if (alpha == 0) {
      throw new OperatorException("celu divides by alpha, which is 0");
    }
    MicroValue negative = f.times(f.plus(f.apply(UnaryOperator.EXP, f.over(x, alpha)), -1), alpha);
    return f.plus(
        f.apply(BinaryOperator.MAXIMUM, x, 0), f.apply(BinaryOperator.MINIMUM, negative, 0));
  }

  private static MicroValue elu(Formula f, MicroValue x, double alpha) {
    // Where the result is x, the exponential may be infinite, and 0 times it would be in the
    // gradient.
    MicroValue limited = above(f, x, 0, f.number(x, 0), x);
    MicroValue negative = f.times(f.plus(f.apply(UnaryOperator.EXP, limited), -1), alpha);
    return f.graph().choose(f.apply(BinaryOperator.LESS, x, 0), negative, x);
  }

  private static MicroValue selu(Formula f, OperatorCall call, MicroValue x) {
    double alpha = call.real("alpha", 1.6732632423543772);
    MicroValue limited = above(f, x, 0, f.number(x, 0), x); // as for elu
    MicroValue negative = f.plus(f.times(f.apply(UnaryOperator.EXP, limited), alpha), -alpha);
    return f.times(above(f, x, 0, x, negative), call.real("scale", 1.0507009873554805));
  }

  /** Returns x Φ(x), or its approximation by tanh. */
  private static MicroValue gelu(Formula f, OperatorCall call, MicroValue x) {
    if (!call.flag("approximate", false)) {
      MicroValue erf = f.apply(UnaryOperator.ERF, f.times(x, Math.sqrt(0.5)));
      return f.times(f.times(x, 0.5), f.plus(erf, 1));
    }
    MicroValue cube = f.times(f.square(x), x);
    MicroValue inner = f.times(f.plus(x, f.times(cube, 0.044715)), Math.sqrt(2 / Math.PI));
    return f.times(f.times(x, 0.5), f.plus(f.apply(UnaryOperator.TANH, inner), 1));
  }

  private static MicroValue hardShrink(Formula f, OperatorCall call, MicroValue x) {
    MicroValue size = f.apply(UnaryOperator.ABSOLUTE, x);
    return above(f, size, call.real("threshold", 0.5), x, f.number(x, 0));
  }

  private static MicroValue hardSigmoid(Formula f, OperatorCall call, MicroValue x) {
    MicroValue line = f.plus(f.times(x, call.real("slope", 0.2)), call.real("offset", 0.5));
    return limited(f, line, 0, 1);
  }

  private static MicroValue hardSwish(Formula f, OperatorCall call, MicroValue x) {
    MicroValue gate = limited(f, f.plus(x, call.real("offset", 3)), 0, call.real("threshold", 6));
    return f.over(f.times(x, gate), call.real("scale", 6));
  }

  private static MicroValue leakyRelu(Formula f, OperatorCall call, MicroValue x) {
    double alpha = call.real("alpha", 0.02);
    return f.apply(
        alpha < 1 ? BinaryOperator.MAXIMUM : BinaryOperator.MINIMUM, x, f.times(x, alpha));
  }

  /** Returns −log(1 + exp(−x)), computed with the larger exponent factored out. */
  private static MicroValue logSigmoid(Formula f, MicroValue x) {
    MicroValue minus = f.apply(UnaryOperator.NEGATE, x);
    MicroValue size = f.apply(BinaryOperator.MAXIMUM, minus, 0);
    MicroValue minusSize = f.apply(UnaryOperator.NEGATE, size);
    MicroValue sum =
        f.plus(
            f.apply(UnaryOperator.EXP, minusSize),
            f.apply(UnaryOperator.EXP, f.plus(minus, minusSize)));
    return f.minus(minusSize, f.apply(UnaryOperator.LOG, sum));
  }

  /** Returns log(1 + exp(x)); x itself above the threshold. */
  private static MicroValue softplus(Formula f, MicroValue x, double threshold) {
    // Above the threshold the exponential overflows, and 0 times it would be the gradient.
    MicroValue limited = above(f, x, threshold, f.number(x, threshold), x);
    // Paddle also adds before it takes the logarithm.
    MicroValue sum = f.plus(f.apply(UnaryOperator.EXP, limited), 1);
    return above(f, x, threshold, x, f.apply(UnaryOperator.LOG, sum));
  }

  private static MicroValue softplus(Formula f, OperatorCall call, MicroValue x) {
    double beta = call.real("beta", 1);
    return f.over(softplus(f, f.times(x, beta), call.real("threshold", 20)), beta);
  }

  private static MicroValue mish(Formula f, OperatorCall call, MicroValue x) {
    MicroValue softplus = softplus(f, x, call.real("threshold", 20));
    return f.times(x, f.apply(UnaryOperator.TANH, softplus));
  }

  private static MicroValue softRelu(Formula f, OperatorCall call, MicroValue x) {
    double threshold = call.real("threshold", 40);
    MicroValue limited = limited(f, x, -threshold, threshold);
    return f.apply(UnaryOperator.LOG, f.plus(f.apply(UnaryOperator.EXP, limited), 1));
  }

  private static MicroValue softShrink(Formula f, OperatorCall call, MicroValue x) {
    double lambda = call.real("lambda", 0.5);
    if (lambda < 0) {
      throw new OperatorException("a lambda of " + lambda);
    }
    MicroValue small =
        f.graph()
            .choose(f.apply(BinaryOperator.LESS, x, -lambda), f.plus(x, lambda), f.number(x, 0));
    return above(f, x, lambda, f.plus(x, -lambda), small);
  }

  private static MicroValue softsign(Formula f, MicroValue x) {
    return f.over(x, f.plus(f.apply(UnaryOperator.ABSOLUTE, x), 1));
  }

  private static MicroValue scaledTanh(Formula f, OperatorCall call, MicroValue x) {
    MicroValue tanh = f.apply(UnaryOperator.TANH, f.times(x, call.real("scale_a", 0.67)));
    return f.times(tanh, call.real("scale_b", 1.7159));
  }

  private static MicroValue swish(Formula f, OperatorCall call, MicroValue x) {
    return f.times(x, f.apply(UnaryOperator.SIGMOID, f.times(x, call.real("beta", 1))));
  }

  private static MicroValue thresholdedRelu(Formula f, OperatorCall call, MicroValue x) {
    return above(f, x, call.real("threshold", 1), x, f.number(x, 0));
  }

  private static void prelu(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue x = lowering.in("X");
    MicroValue slope = slope(f, lowering.call(), x, lowering.in("Alpha"));
    lowering.out("Out", above(f, x, 0, x, f.times(slope, x)));
  }

  private static MicroValue slope(Formula f, OperatorCall call, MicroValue x, MicroValue alpha) {
    long[] shape = Shapes.ofRankFrom(2, f.shape(x), "X");
    long[] slopes = new long[shape.length];
    Arrays.fill(slopes, 1);
    switch (call.text("mode", "all")) {
      case "all" -> {}
      case "channel" -> {
        int axis = call.text("data_format", "NCHW").endsWith("C") ? shape.length - 1 : 1;
        slopes[axis] = shape[axis];
      }
      case "element" -> System.arraycopy(shape, 1, slopes, 1, shape.length - 1);
      default -> throw new OperatorException("mode " + call.text("mode", "all"));
    }
    return f.stretch(f.reshape(alpha, slopes), shape);
  }

  /** Lowers {@code maxout}: the maximum of each group of adjacent channels. */
  private static void maxout(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue x = lowering.in("X");
    long[] shape = f.shape(x);
    int axis = Shapes.axis(lowering.call().integer("axis", 1), shape.length);
    long groups = lowering.call().integer("groups", 1);
    if (groups < 1 || shape[axis] % groups != 0) {
      throw new OperatorException(shape[axis] + " channels in groups of " + groups);
    }
    long[] channels = {shape[axis] / groups, groups};
    long[] grouped =
        Shapes.concat(
            Arrays.copyOfRange(shape, 0, axis),
            channels,
            Arrays.copyOfRange(shape, axis + 1, shape.length));
    lowering.out("Out", f.reduceAway(Reduction.MAXIMUM, f.reshape(x, grouped), axis + 1));
  }
}
