package dev.sublet.runtime.kernel.product;

import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.KernelRegistry;
import dev.sublet.runtime.kernel.LoweringCall;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.micro.op.MicroValue;
import dev.sublet.runtime.tensor.ElementType;

/** Dropout and its gradient. */
public final class DropoutLowerings {

  private DropoutLowerings() {}

  /** Registers the kernels. */
  public static void register(KernelRegistry.Builder kernels) {
    kernels.lowered("dropout", DropoutLowerings::dropout);
    kernels.lowered("dropout_grad", DropoutLowerings::dropoutGradient);
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
