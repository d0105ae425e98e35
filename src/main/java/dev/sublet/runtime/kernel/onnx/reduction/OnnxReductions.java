package dev.sublet.runtime.kernel.onnx.reduction;

import static dev.sublet.runtime.kernel.Indices.loop;
import static dev.sublet.runtime.kernel.Indices.loops;
import static dev.sublet.runtime.kernel.Indices.plus;
import static dev.sublet.runtime.kernel.Indices.times;

import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.IntegerArguments;
import dev.sublet.runtime.kernel.LoweringCall;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.kernel.onnx.CarriedKernel.OutputTypes;
import dev.sublet.runtime.kernel.onnx.OnnxFamily;
import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.ir.UnaryOperator;
import dev.sublet.runtime.micro.op.MicroValue;
import dev.sublet.runtime.micro.op.Reduction;
import dev.sublet.runtime.tensor.ElementType;

/** Sums, norms, means, maxima and minima along axes, and the positions of maxima and minima. */
public final class OnnxReductions {

  private OnnxReductions() {}

  /** Reduces the elements along some axes; the axes stay, with extent 1. */
  private interface Reducer {

    MicroValue reduce(Formula f, MicroValue x, int[] axes);
  }

  /** Registers the kernels. */
  public static void register(OnnxFamily family) {
    family.numbers("ArgMax", OutputTypes.asComputed(), l -> position(l, Reduction.ARGMAX));
    family.numbers("ArgMin", OutputTypes.asComputed(), l -> position(l, Reduction.ARGMIN));
    reduction(
        family,
        "ReduceL1",
        (f, x, axes) -> f.reduce(Reduction.SUM, f.apply(UnaryOperator.ABSOLUTE, x), axes));
    reduction(
        family,
        "ReduceL2",
        (f, x, axes) -> function(f, UnaryOperator.SQRT, sum(f, f.square(x), axes)));
    reduction(
        family, "ReduceLogSum", (f, x, axes) -> function(f, UnaryOperator.LOG, sum(f, x, axes)));
    reduction(family, "ReduceLogSumExp", OnnxReductions::logSumExp);
    reduction(family, "ReduceMax", (f, x, axes) -> f.reduce(Reduction.MAXIMUM, x, axes));
    reduction(family, "ReduceMean", (f, x, axes) -> f.reduce(Reduction.MEAN, x, axes));
    reduction(family, "ReduceMin", (f, x, axes) -> f.reduce(Reduction.MINIMUM, x, axes));
    reduction(family, "ReduceProd", (f, x, axes) -> f.reduce(Reduction.PRODUCT, x, axes));
    reduction(family, "ReduceSum", OnnxReductions::sum);
    reduction(family, "ReduceSumSquare", (f, x, axes) -> sum(f, f.square(x), axes));
  }

  private static void reduction(OnnxFamily family, String type, Reducer reducer) {
    family.numbers(type, lowering -> reduce(lowering, reducer));
  }

  private static void reduce(LoweringCall lowering, Reducer reducer) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    MicroValue x = lowering.in("0");
    long[] named = IntegerArguments.of(call, "axes", "1");
    if (named.length == 0 && call.flag("noop_with_empty_axes", false)) {
      lowering.out("0", x);
      return;
    }
    int rank = f.rank(x);
    int[] axes = named.length == 0 ? Shapes.range(0, rank) : Shapes.axes(named, rank);
    MicroValue reduced = reducer.reduce(f, x, axes);
    lowering.out("0", shaped(f, call, reduced, axes));
  }

  private static MicroValue shaped(Formula f, OperatorCall call, MicroValue reduced, int... axes) {
    boolean keeps = call.flag("keepdims", true);
    return keeps ? reduced : f.reshape(reduced, Shapes.without(f.shape(reduced), axes));
  }

  private static MicroValue sum(Formula f, MicroValue x, int... axes) {
    return f.reduce(Reduction.SUM, x, axes);
  }

  /** Applies a function of real numbers; integers become real numbers and are rounded to zero. */
  private static MicroValue function(Formula f, UnaryOperator function, MicroValue x) {
    ElementType type = f.type(x);
    ElementType real = type.isFloating() ? type : ElementType.FLOAT64;
    return f.as(type, f.apply(function, f.as(real, x)));
  }

  /** Computes log Σ exp(x) with the largest exponent factored out, unless it is infinite. */
  private static MicroValue logSumExp(Formula f, MicroValue given, int... axes) {
    ElementType type = f.type(given);
    MicroValue x = f.as(type.isFloating() ? type : ElementType.FLOAT64, given);
    MicroValue largest = f.reduce(Reduction.MAXIMUM, x, axes);
    MicroValue size = f.apply(UnaryOperator.ABSOLUTE, largest);
    MicroValue isFinite = f.apply(BinaryOperator.LESS, size, Double.POSITIVE_INFINITY);
    MicroValue shift = f.graph().choose(isFinite, largest, f.number(x, 0));
    MicroValue shifted = f.minus(x, f.stretch(shift, f.shape(x)));
    MicroValue sum = sum(f, f.apply(UnaryOperator.EXP, shifted), axes);
    return f.as(type, f.plus(f.apply(UnaryOperator.LOG, sum), shift));
  }

  /** Lowers {@code ArgMax} and {@code ArgMin}; the last position is the first from the end. */
  private static void position(LoweringCall lowering, Reduction reduction) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    MicroValue x = lowering.in("0");
    long[] shape = f.shape(x);
    int axis = Shapes.axis(call.integer("axis", 0), shape.length);
    if (shape[axis] == 0) {
      throw new OperatorException("a search among no elements along axis " + axis);
    }
    boolean isLast = call.flag("select_last_index", false);
    IndexExpression[] at = loops(shape.length);
    at[axis] = plus(times(loop(axis), -1), shape[axis] - 1);
    MicroValue searched = isLast ? f.reindex(x, shape, at) : x;
    MicroValue place = f.reduce(reduction, searched, axis);
    MicroValue fromStart = isLast ? f.plus(f.times(place, -1L), shape[axis] - 1) : place;
    lowering.out("0", shaped(f, call, fromStart, axis));
  }
}
