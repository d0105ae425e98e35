package dev.sublet.compile;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.sublet.compile.trace.BoundProgram;
import dev.sublet.compile.trace.TracedProgram;
import dev.sublet.compile.trace.TracedStep;
import dev.sublet.compile.trace.TracedValue;
import dev.sublet.runtime.kernel.LoweringCall;
import dev.sublet.runtime.kernel.Translation;
import dev.sublet.runtime.micro.emit.CFunctions;
import dev.sublet.runtime.micro.fuse.SimplifyProgram;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.ir.TensorDeclaration;
import dev.sublet.runtime.micro.ir.TensorDeclaration.Role;
import java.util.HashMap;
import java.util.Map;

/**
 * A step as loop nests with known extents.
 *
 * @param step the step
 * @param program the nests; only outputs that something reads
 * @param inputs for each input of the nests the value that it reads
 * @param outputs for each output of the nests the value that it writes
 * @param zeros the values that are filled with zeros
 * @param strip the lanes of the panels of products; 0 for plain loops
 * @param scratchBytes the bytes of scratch memory that the nests need
 */
record LoweredStep(
    TracedStep step,
    MicroProgram program,
    ImmutableMap<String, TracedValue> inputs,
    ImmutableMap<String, TracedValue> outputs,
    ImmutableList<TracedValue> zeros,
    int strip,
    long scratchBytes) {

  LoweredStep {
    requireNonNull(step, "step");
    requireNonNull(program, "program");
    requireNonNull(inputs, "inputs");
    requireNonNull(outputs, "outputs");
    requireNonNull(zeros, "zeros");
  }

  /** Returns the nests of a step of a trace. */
  static LoweredStep of(TracedStep step, TracedProgram trace) {
    if (step.isCopy()) {
      return ofCopy(step);
    }
    Translation translation = step.translation().orElseThrow();
    Map<String, TracedValue> arguments = new HashMap<>();
    step.inputs()
        .asMap()
        .forEach(
            (slot, values) -> {
              int i = 0;
              for (TracedValue value : values) {
                arguments.put(LoweringCall.argumentName(slot, i++), value);
              }
            });
    ImmutableMap.Builder<String, TracedValue> outputs = ImmutableMap.builder();
    ImmutableList.Builder<TracedValue> zeros = ImmutableList.builder();
    step.outputs()
        .asMap()
        .forEach(
            (slot, values) -> {
              int i = 0;
              for (TracedValue value : values) {
                String computed = translation.outputs().get(LoweringCall.outputName(slot, i++));
                if (!trace.live().contains(value.name())) {
                  continue;
                }
                if (computed == null) {
                  zeros.add(value);
                } else {
                  outputs.put(computed, value);
                }
              }
            });
    ImmutableMap<String, TracedValue> live = outputs.buildOrThrow();
    MicroProgram program = BoundProgram.of(simplified(translation.program(), live));
    ImmutableMap.Builder<String, TracedValue> inputs = ImmutableMap.builder();
    for (TensorDeclaration tensor : program.tensors()) {
      if (tensor.role() == Role.INPUT) {
        String argument = requireNonNull(translation.inputs().get(tensor.name()));
        inputs.put(tensor.name(), requireNonNull(arguments.get(argument)));
      }
    }
    return new LoweredStep(
        step,
        program,
        inputs.buildOrThrow(),
        live,
        zeros.build(),
        /* strip= */ 0,
        CFunctions.workspaceBytes(program, /* strip= */ 0));
  }

  /** A copy has no nests. */
  private static LoweredStep ofCopy(TracedStep step) {
    MicroProgram nothing =
        new MicroProgram(
            "copy",
            /* parameters= */ ImmutableList.of(),
            /* tensors= */ ImmutableList.of(),
            /* requirements= */ ImmutableList.of(),
            /* functions= */ ImmutableList.of());
    return new LoweredStep(
        step,
        nothing,
        /* inputs= */ ImmutableMap.of(),
        /* outputs= */ ImmutableMap.of(),
        /* zeros= */ ImmutableList.of(),
        /* strip= */ 0,
        /* scratchBytes= */ 0);
  }

  /** The same step with other panels of products. */
  LoweredStep withStrip(int newStrip) {
    if (step.isCopy()) {
      return this;
    }
    return new LoweredStep(
        step,
        program,
        inputs,
        outputs,
        zeros,
        newStrip,
        CFunctions.workspaceBytes(program, newStrip));
  }

  /** Simplifies a program, without the outputs that are not live. */
  private static MicroProgram simplified(
      MicroProgram program, ImmutableMap<String, TracedValue> live) {
    ImmutableList.Builder<TensorDeclaration> tensors = ImmutableList.builder();
    for (TensorDeclaration tensor : program.tensors()) {
      boolean isDead = tensor.role() == Role.OUTPUT && !live.containsKey(tensor.name());
      tensors.add(
          isDead
              ? new TensorDeclaration(tensor.name(), Role.TEMPORARY, tensor.type(), tensor.shape())
              : tensor);
    }
    MicroProgram pruned =
        new MicroProgram(
            program.name(),
            program.parameters(),
            tensors.build(),
            program.requirements(),
            program.functions());
    return SimplifyProgram.simplify(pruned, /* dropUnusedInputs= */ true).program();
  }
}
