package dev.sublet.runtime.kernel;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.tensor.Tensor;

/**
 * A micro program for an operator, and the relation between the program's tensors and the
 * operator's arguments. Arguments have the names of {@link LoweringCall#argumentName}.
 *
 * @param program the micro program
 * @param inputs for each input of the program, the input argument
 * @param values the arguments whose elements do not determine the program
 * @param outputs for each output argument, the output of the program
 * @param zeros output arguments that the program does not compute because they are zero
 */
public record Translation(
    MicroProgram program,
    ImmutableMap<String, String> inputs,
    ImmutableSet<String> values,
    ImmutableMap<String, String> outputs,
    ImmutableMap<String, Tensor> zeros) {

  public Translation {
    requireNonNull(program, "program");
    requireNonNull(inputs, "inputs");
    requireNonNull(values, "values");
    requireNonNull(outputs, "outputs");
    requireNonNull(zeros, "zeros");
  }

  /** The same translation with another micro program. */
  public Translation with(MicroProgram other) {
    return new Translation(other, inputs, values, outputs, zeros);
  }

  /** A rule that translates the calls of an operator type. */
  interface Rule {

    /**
     * Translates a call.
     *
     * @throws OperatorException if shapes, types or attributes do not fit
     */
    Translation translate(OperatorCall call);
  }

  /** Translates a call by a lowering. */
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
