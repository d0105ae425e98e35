package dev.sublet.runtime.kernel.activation;

import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.KernelRegistry;
import dev.sublet.runtime.kernel.LoweringCall;
import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.ir.UnaryOperator;
import dev.sublet.runtime.micro.op.MicroValue;

/** Functions of one number: roots, logarithms, trigonometry, rounding. */
public final class FunctionLowerings {

  private FunctionLowerings() {}

  /** Registers the kernels. */
  public static void register(KernelRegistry.Builder kernels) {
    unary(kernels, "abs", UnaryOperator.ABSOLUTE);
    unary(kernels, "acos", UnaryOperator.ACOS);
    unary(kernels, "asin", UnaryOperator.ASIN);
    unary(kernels, "atan", UnaryOperator.ATAN);
    unaryAlone(kernels, "ceil", UnaryOperator.CEIL);
    unary(kernels, "cos", UnaryOperator.COS);
    unary(kernels, "cosh", UnaryOperator.COSH);
    unary(kernels, "erf", UnaryOperator.ERF);
    unaryAlone(kernels, "exp", UnaryOperator.EXP);
    unaryAlone(kernels, "expm1", UnaryOperator.EXPM1);
    unaryAlone(kernels, "floor", UnaryOperator.FLOOR);
    unary(kernels, "log", UnaryOperator.LOG);
    unary(kernels, "log1p", UnaryOperator.LOG1P);
    unaryAlone(kernels, "reciprocal", UnaryOperator.RECIPROCAL);
    unaryAlone(kernels, "round", UnaryOperator.ROUND);
    unaryAlone(kernels, "rsqrt", UnaryOperator.RSQRT);
    unaryAlone(kernels, "sigmoid", UnaryOperator.SIGMOID);
    unaryAlone(kernels, "sign", UnaryOperator.SIGN);
    unary(kernels, "sin", UnaryOperator.SIN);
    unary(kernels, "sinh", UnaryOperator.SINH);
    unaryAlone(kernels, "sqrt", UnaryOperator.SQRT);
    unary(kernels, "tan", UnaryOperator.TAN);
    unaryAlone(kernels, "tanh", UnaryOperator.TANH);
    function(kernels, "log2", (f, call, x) -> logarithm(f, x, 2));
    function(kernels, "log10", (f, call, x) -> logarithm(f, x, 10));
    function(kernels, "square", (f, call, x) -> f.square(x));
    kernels.differentiated("pow", FunctionLowerings::pow);
  }

  /**
   * Registers a function without a derived gradient operator: its gradient operator has the
   * function's result as input, or does not exist.
   */
  private static void unaryAlone(
      KernelRegistry.Builder kernels, String type, UnaryOperator operator) {
    kernels.lowered(type, new PointwiseLowering((f, call, x) -> f.apply(operator, x)));
  }

  private static void unary(KernelRegistry.Builder kernels, String type, UnaryOperator operator) {
    function(kernels, type, (f, call, x) -> f.apply(operator, x));
  }

  private static void function(
      KernelRegistry.Builder kernels, String type, PointwiseLowering.Function function) {
    kernels.differentiated(type, new PointwiseLowering(function));
  }

  private static MicroValue logarithm(Formula f, MicroValue x, double base) {
    return f.over(f.apply(UnaryOperator.LOG, x), Math.log(base));
  }

  private static void pow(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue x = lowering.in("X");
    MicroValue power =
        lowering.call().has("FactorTensor")
            ? f.apply(BinaryOperator.POWER, x, f.repeat(lowering.in("FactorTensor"), f.shape(x)))
            : f.apply(BinaryOperator.POWER, x, lowering.call().real("factor", 1));
    lowering.out("Out", power);
  }
}
