package dev.sublet.runtime.kernel.elementwise;

import dev.sublet.runtime.kernel.ElementTypes;
import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.KernelRegistry;
import dev.sublet.runtime.kernel.LoweringCall;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.op.MicroValue;
import dev.sublet.runtime.tensor.ElementType;

/** Operators that scale, limit, convert, or copy numbers. */
public final class ScaleLowerings {

  private ScaleLowerings() {}

  /** Registers the kernels. */
  public static void register(KernelRegistry.Builder kernels) {
    kernels.lowered("cast", ScaleLowerings::cast);
    kernels.differentiated("clip", ScaleLowerings::clip);
    kernels.lowered("dropout", ScaleLowerings::dropout);
    kernels.lowered("dropout_grad", ScaleLowerings::dropoutGradient);
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
   * Lowers {@code dropout} in the cases without randomness: in inference, and if nothing or
   * everything is dropped.
   */
  private static void dropout(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    MicroValue x = lowering.in("X");
    double probability = call.real("dropout_prob", 0.5);
    boolean scales = scalesInTraining(call);
    if (call.flag("is_test", false)) {
      lowering.out("Out", scales ? x : f.times(x, 1 - (float) probability));
    } else if (probability == 0 || probability == 1) {
      lowering.out("Out", probability == 0 ? x : f.times(x, 0));
    } else {
      throw new OperatorException("dropout in training drops at random");
    }
    if (call.wants("Mask")) {
      double kept = probability == 1 ? 0 : 1;
      lowering.out("Mask", f.constant(ElementType.UINT8, kept, f.shape(x)));
    }
  }

  private static boolean scalesInTraining(OperatorCall call) {
    return call.text("dropout_implementation", "downgrade_in_infer").equals("upscale_in_train");
  }

  private static void dropoutGradient(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    OperatorCall call = lowering.call();
    MicroValue gradient = lowering.in("Out@GRAD");
    double kept = 1 - call.real("dropout_prob", 0.5);
    MicroValue masked =
        f.times(gradient, lowering.graph().cast(f.type(gradient), lowering.in("Mask")));
    if (scalesInTraining(call)) {
      masked = kept > 0 ? f.over(masked, kept) : f.times(masked, 0.0);
    }
    lowering.out("X@GRAD", masked);
  }
}
