package dev.sublet.runtime.kernel.elementwise;

import dev.sublet.runtime.kernel.ElementTypes;
import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.KernelRegistry;
import dev.sublet.runtime.kernel.LoweringCall;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.op.MicroValue;
import dev.sublet.runtime.micro.op.Reduction;
import dev.sublet.runtime.tensor.ElementType;

/** Operators that scale, limit, convert, or copy numbers. */
public final class ScaleLowerings {

  private ScaleLowerings() {}

  /** Registers the kernels. */
  public static void register(KernelRegistry.Builder kernels) {
    kernels.lowered("cast", ScaleLowerings::cast);
    kernels.differentiated("clip", ScaleLowerings::clip);
    kernels.lowered("clip_by_norm", ScaleLowerings::clipByNorm);
    kernels.lowered("increment", ScaleLowerings::increment);
    kernels.lowered("scale", ScaleLowerings::scale);
  }

  private static void scale(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    MicroValue given = lowering.in("X");
    MicroValue x = f.widened(given);
    MicroValue scale =
        call.has("ScaleTensor")
            ? f.repeat(f.widened(lowering.in("ScaleTensor")), f.shape(x))
            : f.number(x, call.real("scale", 1));
    MicroValue bias = f.number(x, call.real("bias", 0));
    MicroValue out =
        call.flag("bias_after_scale", true)
            ? f.plus(f.times(x, scale), bias)
            : f.times(f.plus(x, bias), scale);
    lowering.out("Out", f.as(f.type(given), out));
  }

  private static void cast(LoweringCall lowering) {
    MicroValue x = lowering.in("X");
    ElementType from = lowering.graph().type(x);
    ElementType to = ElementTypes.ofNumber(lowering.call().integer("out_dtype", -1), from);
    lowering.out("Out", from == to ? x : lowering.graph().cast(to, x));
  }

  private static void clip(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue x = lowering.in("X");
    MicroValue raised = f.apply(BinaryOperator.MAXIMUM, x, limit(lowering, f, x, "Min", "min"));
    lowering.out(
        "Out", f.apply(BinaryOperator.MINIMUM, raised, limit(lowering, f, x, "Max", "max")));
  }

  private static MicroValue limit(
      LoweringCall lowering, Formula f, MicroValue x, String slot, String attribute) {
    return lowering.call().has(slot)
        ? f.repeat(lowering.in(slot), f.shape(x))
        : f.number(x, lowering.call().real(attribute, 0));
  }

  private static void increment(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    lowering.out("Out", f.plus(lowering.in("X"), lowering.call().real("step", 1)));
  }

  /**
   * Lowers {@code clip_by_norm}: {@code Out} is x, scaled down if its norm exceeds {@code
   * max_norm}.
   */
  private static void clipByNorm(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    MicroValue x = lowering.in("X");
    double limit = lowering.call().real("max_norm", 1);
    MicroValue length = f.sqrt(f.reduce(Reduction.SUM, f.square(x), Shapes.range(0, f.rank(x))));
    MicroValue isLonger = f.apply(BinaryOperator.GREATER, length, limit);
    MicroValue factor = f.over(f.plus(f.times(length, 0), limit), length);
    factor = f.graph().choose(isLonger, factor, f.number(x, 1));
    lowering.out("Out", f.times(x, f.stretch(factor, f.shape(x))));
  }
}
