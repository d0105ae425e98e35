package dev.sublet.runtime.kernel.activation;

import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.KernelRegistry;
import dev.sublet.runtime.kernel.LoweringCall;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.op.MicroValue;

/**
 * Gradients of functions of one number, computed from the function's result. The gradient operators
 * do not have the function's argument, because its variable may contain the result by then.
 */
public final class OutputGradientLowerings {

  private OutputGradientLowerings() {}

  /** A formula for the gradient, from a result and its gradient. */
  private interface Derivative {
    MicroValue of(Formula f, OperatorCall call, MicroValue out, MicroValue gradient);
  }

  /** Registers the kernels. */
  public static void register(KernelRegistry.Builder kernels) {
    gradient(kernels, "exp", (f, call, out, g) -> f.times(g, out));
    gradient(kernels, "expm1", (f, call, out, g) -> f.plus(f.times(g, out), g));
    gradient(kernels, "hard_sigmoid", OutputGradientLowerings::hardSigmoid);
    gradient(kernels, "reciprocal", (f, call, out, g) -> f.times(f.times(g, f.square(out)), -1));
    gradient(kernels, "relu", (f, call, out, g) -> where(f, above(f, out, 0), g));
    gradient(
        kernels, "relu6", (f, call, out, g) -> between(f, out, 0, call.real("threshold", 6), g));
    gradient(
        kernels,
        "rsqrt",
        (f, call, out, g) -> f.times(f.times(f.times(g, out), f.square(out)), -0.5));
    gradient(kernels, "sigmoid", (f, call, out, g) -> f.times(f.times(g, out), f.minus(1, out)));
    gradient(kernels, "sqrt", (f, call, out, g) -> f.over(f.times(g, 0.5), out));
    gradient(kernels, "tanh", (f, call, out, g) -> f.times(g, f.minus(1, f.square(out))));
    kernels.lowered("ceil_grad", OutputGradientLowerings::zero);
    kernels.lowered("floor_grad", OutputGradientLowerings::zero);
    kernels.lowered("round_grad", OutputGradientLowerings::zero);
  }

  private static void gradient(KernelRegistry.Builder kernels, String type, Derivative derivative) {
    kernels.lowered(
        type + "_grad",
        lowering -> {
          Formula f = new Formula(lowering.graph());
          MicroValue out = lowering.in("Out");
          MicroValue gradient = lowering.in("Out@GRAD");
          lowering.out("X@GRAD", derivative.of(f, lowering.call(), out, gradient));
        });
  }

  private static MicroValue above(Formula f, MicroValue x, double limit) {
    return f.apply(BinaryOperator.GREATER, x, limit);
  }

  private static MicroValue where(Formula f, MicroValue condition, MicroValue x) {
    return f.graph().choose(condition, x, f.number(x, 0));
  }

  private static MicroValue between(
      Formula f, MicroValue x, double least, double most, MicroValue gradient) {
    MicroValue below = f.apply(BinaryOperator.LESS, x, most);
    return where(f, f.apply(BinaryOperator.AND, above(f, x, least), below), gradient);
  }

  private static MicroValue hardSigmoid(
      Formula f, OperatorCall call, MicroValue out, MicroValue gradient) {
    return between(f, out, 0, 1, f.times(gradient, call.real("slope", 0.2)));
  }

  private static void zero(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue gradient = lowering.in("Out@GRAD");
    lowering.out("X@GRAD", f.filled(f.type(gradient), 0, f.shape(gradient)));
  }
}
