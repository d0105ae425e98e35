package dev.sublet.runtime.kernel.activation;

import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.KernelRegistry;
import dev.sublet.runtime.kernel.LoweringCall;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.ir.UnaryOperator;
import dev.sublet.runtime.micro.op.MicroValue;
import dev.sublet.runtime.micro.op.Reduction;

/** Softmax, its logarithm, and their gradients, which are computed from the result only. */
public final class SoftmaxLowerings {

  private SoftmaxLowerings() {}

  /** Registers the kernels. */
  public static void register(KernelRegistry.Builder kernels) {
    kernels.lowered("softmax", SoftmaxLowerings::softmax);
    kernels.lowered("softmax_grad", SoftmaxLowerings::softmaxGradient);
    kernels.lowered("log_softmax", SoftmaxLowerings::logSoftmax);
    kernels.lowered("log_softmax_grad", SoftmaxLowerings::logSoftmaxGradient);
  }

  private static int axis(LoweringCall lowering, Formula f, MicroValue x) {
    return Shapes.axis(lowering.call().integer("axis", -1), f.rank(x));
  }

  /** Lowers {@code softmax}. */
  public static void softmax(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue x = lowering.in("X");
    lowering.out("Out", softmax(f, x, axis(lowering, f, x)));
  }

  /**
   * Returns x minus the maximum along an axis, but at least -64, as in Paddle. The limit keeps
   * exponentials above 0.
   */
  private static MicroValue belowLargest(Formula f, MicroValue x, int axis) {
    MicroValue largest = f.reduce(Reduction.MAXIMUM, x, axis);
    MicroValue below = f.minus(x, f.stretch(largest, f.shape(x)));
    return f.apply(BinaryOperator.MAXIMUM, below, -64);
  }

  /** Returns the softmax of x: the exponentials divided by their sum along an axis. */
  public static MicroValue softmax(Formula f, MicroValue x, int axis) {
    MicroValue exponentials = f.apply(UnaryOperator.EXP, belowLargest(f, x, axis));
    MicroValue sum = f.reduce(Reduction.SUM, exponentials, axis);
    return f.over(exponentials, f.stretch(sum, f.shape(x)));
  }

  static void logSoftmax(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue x = lowering.in("X");
    int axis = axis(lowering, f, x);
    MicroValue below = belowLargest(f, x, axis);
    MicroValue sum = f.reduce(Reduction.SUM, f.apply(UnaryOperator.EXP, below), axis);
    MicroValue logarithm = f.apply(UnaryOperator.LOG, sum);
    lowering.out("Out", f.minus(below, f.stretch(logarithm, f.shape(x))));
  }

  /** Lowers the gradient of softmax: y · (dy - Σ y·dy). */
  static void softmaxGradient(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue y = lowering.in("Out");
    MicroValue dy = lowering.in("Out@GRAD");
    MicroValue sum = f.reduce(Reduction.SUM, f.times(y, dy), axis(lowering, f, y));
    lowering.out("X@GRAD", f.times(y, f.minus(dy, f.stretch(sum, f.shape(y)))));
  }

  /** Lowers the gradient of the logarithm of softmax: dy - exp(y) · Σ dy. */
  static void logSoftmaxGradient(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue y = lowering.in("Out");
    MicroValue dy = lowering.in("Out@GRAD");
    MicroValue sum = f.reduce(Reduction.SUM, dy, axis(lowering, f, y));
    MicroValue part = f.times(f.apply(UnaryOperator.EXP, y), f.stretch(sum, f.shape(y)));
    lowering.out("X@GRAD", f.minus(dy, part));
  }
}
