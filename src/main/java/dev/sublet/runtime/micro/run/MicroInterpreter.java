package dev.sublet.runtime.micro.run;

import com.google.common.collect.ImmutableMap;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.tensor.Tensor;

/**
 * The entry point to run a program once. To run a program many times, keep a {@link CompiledMicro}.
 */
public final class MicroInterpreter {

  private MicroInterpreter() {}

  /**
   * Runs a program and returns the outputs by name.
   *
   * @param inputs the tensors of all inputs by name
   * @param parameters the values of all parameters by name
   * @throws IllegalArgumentException if an input or a parameter is missing, an input has another
   *     type or shape than declared, or a requirement does not hold
   */
  public static ImmutableMap<String, Tensor> run(
      MicroProgram program,
      ImmutableMap<String, Tensor> inputs,
      ImmutableMap<String, Number> parameters) {
    return CompiledMicro.compile(program).run(inputs, parameters);
  }
}
