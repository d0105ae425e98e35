package dev.sublet.runtime.kernel.optimizer;

import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.IntegerArguments;
import dev.sublet.runtime.kernel.KernelRegistry;
import dev.sublet.runtime.kernel.LoweringCall;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.micro.op.MicroValue;

/** Optimizer operators, which perform one step for one parameter. */
public final class OptimizerLowerings {

  private OptimizerLowerings() {}

  /** Registers the kernels. */
  public static void register(KernelRegistry.Builder kernels) {
    kernels.lowered("adagrad", OptimizerLowerings::adagrad);
    kernels.lowered("adam", lowering -> adam(lowering, /* decays= */ false));
    kernels.lowered("adamw", lowering -> adam(lowering, /* decays= */ true));
    kernels.lowered("momentum", OptimizerLowerings::momentum);
    kernels.lowered("rmsprop", OptimizerLowerings::rootMeanSquare);
    kernels.lowered("sgd", OptimizerLowerings::gradientDescent);
  }

  /** Returns the learning rate, repeated for each element of the parameter. */
  private static MicroValue rate(LoweringCall lowering, Formula f) {
    return f.repeat(lowering.in("LearningRate"), f.shape(lowering.in("Param")));
  }

  /** Lowers {@code sgd}: {@code ParamOut = param - rate · gradient}. */
  static void gradientDescent(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue step = f.times(rate(lowering, f), lowering.in("Grad"));
    lowering.out("ParamOut", f.minus(lowering.in("Param"), step));
  }

  /**
   * Lowers {@code momentum}: {@code VelocityOut = mu · velocity + gradient}, and the parameter
   * moves against the velocity. {@code rescale_grad} has no effect, as in Paddle on a CPU.
   */
  static void momentum(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    MicroValue param = lowering.in("Param");
    MicroValue gradient = lowering.in("Grad");
    if (call.text("regularization_method", "").equals("l2_decay")) {
      gradient = f.plus(f.times(param, call.real("regularization_coeff", 0)), gradient);
    }
    double mu = call.real("mu", 0);
    MicroValue velocity = f.plus(f.times(lowering.in("Velocity"), mu), gradient);
    MicroValue direction =
        call.flag("use_nesterov", false) ? f.plus(f.times(velocity, mu), gradient) : velocity;
    lowering.out("VelocityOut", velocity);
    lowering.out("ParamOut", f.minus(param, f.times(direction, rate(lowering, f))));
  }

  /**
   * Lowers {@code adam} and {@code adamw}. {@code Moment1Out} and {@code Moment2Out} are decaying
   * means of the gradients and of their squares. The parameter moves by the first mean divided by
   * the root of the second.
   */
  private static void adam(LoweringCall lowering, boolean decays) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    if (call.has("SkipUpdate") && IntegerArguments.first(call.input("SkipUpdate")) != 0) {
      for (String name : new String[] {"Param", "Moment1", "Moment2", "Beta1Pow", "Beta2Pow"}) {
        lowering.out(name + "Out", lowering.in(name));
      }
      return;
    }
    double beta1 = given(call, "Beta1Tensor", "beta1", 0.9);
    double beta2 = given(call, "Beta2Tensor", "beta2", 0.999);
    double epsilon = given(call, "EpsilonTensor", "epsilon", 1e-8);
    MicroValue gradient = lowering.in("Grad");
    long[] shape = f.shape(gradient);
    MicroValue param = lowering.in("Param");
    MicroValue rate = rate(lowering, f);
    if (decays && call.flag("with_decay", false)) {
      // The ratio scales the decay only, as in Paddle on a CPU.
      MicroValue scaled = f.times(rate, call.real("lr_ratio", 1));
      MicroValue decay = f.times(scaled, call.real("coeff", 0.01));
      param = f.minus(param, f.times(param, decay));
    }
    MicroValue first = mean(f, lowering.in("Moment1"), beta1, gradient);
    MicroValue second = mean(f, lowering.in("Moment2"), beta2, f.square(gradient));
    MicroValue root2 = f.sqrt(f.minus(1, lowering.in("Beta2Pow")));
    MicroValue bias1 = f.minus(1, lowering.in("Beta1Pow"));
    MicroValue factor = f.over(f.repeat(root2, shape), f.repeat(bias1, shape));
    MicroValue below = f.plus(f.sqrt(second), f.times(f.repeat(root2, shape), epsilon));
    MicroValue step = f.times(f.times(rate, factor), f.over(first, below));
    lowering.out("ParamOut", f.minus(param, step));
    lowering.out("Moment1Out", first);
    lowering.out("Moment2Out", second);
    if (!call.flag("use_global_beta_pow", false)) {
      lowering.out("Beta1PowOut", f.times(lowering.in("Beta1Pow"), beta1));
      lowering.out("Beta2PowOut", f.times(lowering.in("Beta2Pow"), beta2));
    }
  }

  private static double given(OperatorCall call, String slot, String attribute, double absent) {
    if (!call.has(slot)) {
      return call.real(attribute, absent);
    }
    return call.scalarInput(slot).getDouble(0);
  }

  /** Returns kept · mean + (1 - kept) · x, in floats. */
  private static MicroValue mean(Formula f, MicroValue mean, double kept, MicroValue x) {
    float part = (float) kept;
    return f.plus(f.times(mean, part), f.times(x, 1 - part));
  }

  /**
   * Lowers {@code adagrad}: {@code MomentOut} is the sum of squares; the step is the gradient
   * divided by the root of this sum.
   */
  static void adagrad(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue gradient = lowering.in("Grad");
    MicroValue moment = f.plus(lowering.in("Moment"), f.square(gradient));
    MicroValue below = f.plus(f.sqrt(moment), lowering.call().real("epsilon", 1e-6));
    MicroValue step = f.over(f.times(rate(lowering, f), gradient), below);
    lowering.out("MomentOut", moment);
    lowering.out("ParamOut", f.minus(lowering.in("Param"), step));
  }

  /**
   * Lowers {@code rmsprop}: {@code MomentOut} accumulates, with momentum, the gradient divided by
   * the root of the mean of its squares.
   */
  static void rootMeanSquare(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    MicroValue gradient = lowering.in("Grad");
    double decay = call.real("decay", 0.9);
    MicroValue squares = mean(f, lowering.in("MeanSquare"), decay, f.square(gradient));
    lowering.out("MeanSquareOut", squares);
    MicroValue variance = squares;
    if (call.flag("centered", false)) {
      MicroValue mean = mean(f, lowering.in("MeanGrad"), decay, gradient);
      variance = f.minus(squares, f.square(mean));
      lowering.out("MeanGradOut", mean);
    }
    MicroValue root = f.sqrt(f.plus(variance, call.real("epsilon", 1e-10)));
    MicroValue step = f.over(f.times(rate(lowering, f), gradient), root);
    MicroValue kept = f.times(lowering.in("Moment"), call.real("momentum", 0));
    MicroValue moment = f.plus(kept, step);
    lowering.out("MomentOut", moment);
    lowering.out("ParamOut", f.minus(lowering.in("Param"), moment));
  }
}
