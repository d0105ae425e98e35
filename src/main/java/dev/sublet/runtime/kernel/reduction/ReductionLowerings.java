package dev.sublet.runtime.kernel.reduction;

import dev.sublet.runtime.kernel.ElementTypes;
import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.IntegerArguments;
import dev.sublet.runtime.kernel.KernelRegistry;
import dev.sublet.runtime.kernel.LoweringCall;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.micro.ir.UnaryOperator;
import dev.sublet.runtime.micro.op.MicroValue;
import dev.sublet.runtime.micro.op.Reduction;
import dev.sublet.runtime.tensor.ElementType;

/** Sums, means, maxima and minima along axes, and the positions of maxima and minima. */
public final class ReductionLowerings {

  private ReductionLowerings() {}

  /** Registers the kernels. */
  public static void register(KernelRegistry.Builder kernels) {
    kernels.lowered("reduce_all", lowering -> reduce(lowering, Reduction.MINIMUM));
    kernels.lowered("reduce_any", lowering -> reduce(lowering, Reduction.MAXIMUM));
    reduction(kernels, "reduce_max", Reduction.MAXIMUM);
    reduction(kernels, "reduce_mean", Reduction.MEAN);
    reduction(kernels, "reduce_min", Reduction.MINIMUM);
    reduction(kernels, "reduce_prod", Reduction.PRODUCT);
    kernels.differentiated("reduce_sum", ReductionLowerings::sum);
    kernels.differentiated("frobenius_norm", ReductionLowerings::frobeniusNorm);
    kernels.differentiated("logsumexp", ReductionLowerings::logSumExp);
    kernels.differentiated("mean", ReductionLowerings::mean);
    kernels.lowered("arg_max", lowering -> position(lowering, Reduction.ARGMAX));
    kernels.lowered("arg_min", lowering -> position(lowering, Reduction.ARGMIN));
  }

  private static void reduction(KernelRegistry.Builder kernels, String type, Reduction reduction) {
    kernels.differentiated(type, lowering -> reduce(lowering, reduction));
  }

  private static void reduce(LoweringCall lowering, Reduction reduction) {
    Formula f = new Formula(lowering.graph());
    MicroValue x = lowering.in("X");
    reduce(lowering, f, typed(f, lowering, x, f.type(x)), reduction);
  }

  private static void reduce(LoweringCall lowering, Formula f, MicroValue x, Reduction reduction) {
    int[] axes = axes(lowering.call(), "dim", f.rank(x));
    MicroValue reduced = f.reduce(reduction, x, axes);
    lowering.out("Out", shaped(f, lowering.call(), "keep_dim", reduced, axes));
  }

  private static void frobeniusNorm(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue squares = f.square(lowering.in("X"));
    int[] axes = axes(lowering.call(), "dim", f.rank(squares));
    MicroValue norm = f.sqrt(f.reduce(Reduction.SUM, squares, axes));
    lowering.out("Out", shaped(f, lowering.call(), "keep_dim", norm, axes));
  }

  /** Lowers a sum. A sum of integers or booleans is INT64 unless an attribute gives the type. */
  private static void sum(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue x = lowering.in("X");
    ElementType usual = f.type(x).isFloating() ? f.type(x) : ElementType.INT64;
    reduce(lowering, f, typed(f, lowering, x, usual), Reduction.SUM);
  }

  private static MicroValue typed(
      Formula f, LoweringCall lowering, MicroValue x, ElementType usual) {
    ElementType type = ElementTypes.ofNumber(lowering.call().integer("out_dtype", -1), usual);
    return type == f.type(x) ? x : f.graph().cast(type, x);
  }

  /** Returns the axes to reduce; all axes if none is named. */
  private static int[] axes(OperatorCall call, String attribute, int rank) {
    long[] named = IntegerArguments.attribute(call, attribute);
    if (call.flag("reduce_all", false) || named.length == 0) {
      return Shapes.range(0, rank);
    }
    return Shapes.axes(named, rank);
  }

  private static MicroValue shaped(
      Formula f, OperatorCall call, String keeps, MicroValue reduced, int[] axes) {
    if (call.flag(keeps, false)) {
      return reduced;
    }
    long[] shape = Shapes.without(f.shape(reduced), axes);
    return f.reshape(reduced, shape.length == 0 ? new long[] {1} : shape);
  }

  private static void mean(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue x = lowering.in("X");
    lowering.out("Out", f.reduceAway(Reduction.MEAN, x, Shapes.range(0, f.rank(x))));
  }

  /** Lowers {@code logsumexp}: log Σ exp(x), computed with the largest exponent factored out. */
  private static void logSumExp(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue x = lowering.in("X");
    int[] axes = axes(lowering.call(), "axis", f.rank(x));
    MicroValue largest = f.reduce(Reduction.MAXIMUM, x, axes);
    MicroValue shifted = f.apply(UnaryOperator.EXP, f.minus(x, f.stretch(largest, f.shape(x))));
    MicroValue logarithm = f.apply(UnaryOperator.LOG, f.reduce(Reduction.SUM, shifted, axes));
    lowering.out("Out", shaped(f, lowering.call(), "keepdim", f.plus(logarithm, largest), axes));
  }

  private static void position(LoweringCall lowering, Reduction reduction) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    MicroValue x = lowering.in("X");
    int rank = f.rank(x);
    boolean flat = call.flag("flatten", false);
    int[] axes =
        flat ? Shapes.range(0, rank) : new int[] {Shapes.axis(call.integer("axis", -1), rank)};
    MicroValue position = f.reduce(reduction, x, axes);
    ElementType type = ElementTypes.ofNumber(call.integer("dtype", -1), ElementType.INT64);
    MicroValue typed = type == ElementType.INT64 ? position : f.graph().cast(type, position);
    boolean keeps = call.flag("keepdims", false);
    long[] shape = keeps ? f.shape(typed) : Shapes.without(f.shape(typed), axes);
    lowering.out("Out", flat ? f.reshape(typed, 1) : f.reshape(typed, shape));
  }
}
