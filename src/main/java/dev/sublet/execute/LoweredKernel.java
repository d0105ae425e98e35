package dev.sublet.execute;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableMap;
import dev.sublet.micro.run.MicroInterpreter;
import dev.sublet.program.Slot;
import dev.sublet.tensor.Tensor;

/** Runs an operator through its lowering. */
final class LoweredKernel implements Kernel {

  private final Lowering lowering;

  LoweredKernel(Lowering lowering) {
    this.lowering = requireNonNull(lowering, "lowering");
  }

  @Override
  public OperatorResult run(OperatorCall call) {
    LoweringCall lowered = new LoweringCall(call);
    lowering.lower(lowered);
    ImmutableMap<String, Tensor> outputs =
        MicroInterpreter.run(lowered.build().emit(), lowered.tensors(), ImmutableMap.of());
    OperatorResult.Builder result = OperatorResult.builder();
    for (Slot slot : call.operation().outputSlots()) {
      for (int i = 0; i < slot.size(); i++) {
        Tensor output = outputs.get(LoweringCall.argumentName(slot.name(), i));
        if (output != null) {
          result.put(slot.name(), output);
        }
      }
    }
    return result.build();
  }
}
