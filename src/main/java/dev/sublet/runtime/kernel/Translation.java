package dev.sublet.runtime.kernel;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.tensor.Tensor;

/**
 * An operator as a micro program, and what the program's tensors are to the operator. Arguments are
 * named as {@link LoweringCall#argumentName} says.
 *
 * @param program what computes
 * @param inputs for each input of the program the argument that it is
 * @param values the arguments whose elements do not decide the program
 * @param outputs for each output argument the output of the program that it is
 * @param zeros output arguments that the program does not compute, since they are zero
 */
record Translation(
    MicroProgram program,
    ImmutableMap<String, String> inputs,
    ImmutableSet<String> values,
    ImmutableMap<String, String> outputs,
    ImmutableMap<String, Tensor> zeros) {

  Translation {
    requireNonNull(program, "program");
    requireNonNull(inputs, "inputs");
    requireNonNull(values, "values");
    requireNonNull(outputs, "outputs");
    requireNonNull(zeros, "zeros");
  }

  /** How an operator is translated. */
  interface Rule {

    /**
     * The translation of a call.
     *
     * @throws OperatorException if shapes, types or attributes do not fit
     */
    Translation translate(OperatorCall call);
  }

  /** The operator as its lowering says. */
  static Translation ofLowering(Lowering lowering, OperatorCall call) {
    LoweringCall loweringCall = new LoweringCall(call);
    lowering.lower(loweringCall);
    ImmutableSet<String> inputs = loweringCall.tensors().keySet();
    ImmutableSet<String> outputs = loweringCall.build().outputs().keySet();
    return new Translation(
        loweringCall.build().emit(),
        same(inputs),
        inputs,
        same(outputs),
        /* zeros= */ ImmutableMap.of());
  }

  private static ImmutableMap<String, String> same(ImmutableSet<String> names) {
    ImmutableMap.Builder<String, String> map = ImmutableMap.builder();
    names.forEach(name -> map.put(name, name));
    return map.buildOrThrow();
  }
}
