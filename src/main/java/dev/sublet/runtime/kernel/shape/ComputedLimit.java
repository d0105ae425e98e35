package dev.sublet.runtime.kernel.shape;

import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.LoweringCall;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.micro.ir.BinaryOperator;
import dev.sublet.runtime.micro.op.MicroValue;
import dev.sublet.runtime.tensor.ElementType;

/** Limits of slices that a program computes: tensors without elements while it is translated. */
final class ComputedLimit {

  private ComputedLimit() {}

  /** Whether one of a slot's tensors has no elements. */
  static boolean isIn(OperatorCall call, String slot) {
    return call.has(slot)
        && call.arguments(slot).stream().anyMatch(limit -> !limit.tensor().hasElements());
  }

  /** Returns a limit, counted from the front; it may be outside of the axis. */
  static MicroValue fromFront(Formula f, LoweringCall lowering, String slot, int i, long extent) {
    MicroValue limit = f.as(ElementType.INT64, lowering.in(slot, i));
    MicroValue isNegative = f.apply(BinaryOperator.LESS, limit, 0L);
    return f.graph().choose(isNegative, f.plus(limit, extent), limit);
  }
}
