package dev.sublet.runtime.micro.run;

import com.google.common.collect.ImmutableMap;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.tensor.Tensor;

/** Runs a program once: the front door. Who runs one often keeps a {@link CompiledMicro}. */
public final class MicroInterpreter {

  private MicroInterpreter() {}

  /**
   * The outputs of a program by name.
   *
   * @param inputs the tensors of all inputs by name
   * @param parameters the values of all parameters by name
   * @throws IllegalArgumentException if one is missing, or has another type or shape than declared,
   *     or a requirement does not hold
   */
  public static ImmutableMap<String, Tensor> run(
      MicroProgram program,
      ImmutableMap<String, Tensor> inputs,
      ImmutableMap<String, Number> parameters) {
    return CompiledMicro.compile(program).run(inputs, parameters);
  }
}
