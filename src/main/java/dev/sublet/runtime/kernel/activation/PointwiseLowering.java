package dev.sublet.runtime.kernel.activation;

import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.Lowering;
import dev.sublet.runtime.kernel.LoweringCall;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.micro.op.MicroValue;

/** The lowering of an operator whose {@code Out} is a function of each element of {@code X}. */
final class PointwiseLowering implements Lowering {

  private final Function function;

  PointwiseLowering(Function function) {
    this.function = function;
  }

  /** A function of one value whose parameters are attributes of the call. */
  interface Function {
    MicroValue of(Formula f, OperatorCall call, MicroValue x);
  }

  @Override
  public void lower(LoweringCall lowering) {
    Formula f = new Formula(lowering.graph());
    lowering.out("Out", function.of(f, lowering.call(), lowering.in("X")));
  }
}
