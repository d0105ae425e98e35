package dev.sublet.compile;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.sublet.compile.kernel.CRoutine;
import dev.sublet.compile.trace.BoundProgram;
import dev.sublet.compile.trace.TracedProgram;
import dev.sublet.compile.trace.TracedStep;
import dev.sublet.compile.trace.TracedValue;
import dev.sublet.runtime.kernel.LoweringCall;
import dev.sublet.runtime.kernel.Translation;
import dev.sublet.runtime.micro.emit.CFunctions;
import dev.sublet.runtime.micro.emit.PackedRows;
import dev.sublet.runtime.micro.emit.Tiling;
import dev.sublet.runtime.micro.fuse.SimplifyProgram;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.ir.TensorDeclaration;
import dev.sublet.runtime.micro.ir.TensorDeclaration.Role;
import java.util.LinkedHashMap;
import java.util.Map;

/** A step whose computation in C is known: loop nests with known extents, C functions, a copy. */
sealed interface LoweredStep {

  /** The step. */
  TracedStep step();

  /** The values that the C code reads, by the names that it has for them. */
  ImmutableMap<String, TracedValue> inputs();

  /** The values that the C code writes, by the names that it has for them. */
  ImmutableMap<String, TracedValue> outputs();

  /** The values that are filled with zeros. */
  ImmutableList<TracedValue> zeros();

  /** The bytes of scratch memory that the C code needs. */
  long scratchBytes();

  /** Whether an output may be computed in the memory of an input. */
  boolean mayOverwrite(String input, String output);

  /** Returns a step of a trace. */
  static LoweredStep of(TracedStep step, TracedProgram trace) {
    if (step.isCopy()) {
      return new Copy(step);
    }
    return step.code() instanceof TracedStep.Code.OfRoutine code
        ? Routine.of(step, code.routine(), trace)
        : Nests.of(step, ((TracedStep.Code.OfLoops) step.code()).translation(), trace);
  }

  /** Returns the values that a step reads, by {@link LoweringCall#argumentName}. */
  private static Map<String, TracedValue> arguments(TracedStep step) {
    Map<String, TracedValue> arguments = new LinkedHashMap<>();
    step.inputs()
        .asMap()
        .forEach(
            (slot, values) -> {
              int i = 0;
              for (TracedValue value : values) {
                arguments.put(LoweringCall.argumentName(slot, i++), value);
              }
            });
    return arguments;
  }

  /** A copy of bytes. */
  record Copy(TracedStep step) implements LoweredStep {

    @Override
    public ImmutableMap<String, TracedValue> inputs() {
      return ImmutableMap.of();
    }

    @Override
    public ImmutableMap<String, TracedValue> outputs() {
      return ImmutableMap.of();
    }

    @Override
    public ImmutableList<TracedValue> zeros() {
      return ImmutableList.of();
    }

    @Override
    public long scratchBytes() {
      return 0;
    }

    @Override
    public boolean mayOverwrite(String input, String output) {
      return true;
    }
  }

  /**
   * A step as calls of C functions. They never write over an input.
   *
   * @param routine the calls
   * @param inputs the values that the calls read, by {@link LoweringCall#argumentName}
   * @param outputs the values that the calls write and something reads
   */
  record Routine(
      TracedStep step,
      CRoutine routine,
      ImmutableMap<String, TracedValue> inputs,
      ImmutableMap<String, TracedValue> outputs)
      implements LoweredStep {

    private static Routine of(TracedStep step, CRoutine routine, TracedProgram trace) {
      ImmutableMap.Builder<String, TracedValue> outputs = ImmutableMap.builder();
      step.outputs()
          .asMap()
          .forEach(
              (slot, values) -> {
                boolean isShape = slot.endsWith(CRoutine.SHAPE);
                String own = isShape ? slot.substring(0, slot.lastIndexOf('.')) : slot;
                int i = 0;
                for (TracedValue value : values) {
                  String name = LoweringCall.outputName(own, i++);
                  if (trace.live().contains(value.name())) {
                    outputs.put(isShape ? name + CRoutine.SHAPE : name, value);
                  }
                }
              });
      return new Routine(
          step, routine, ImmutableMap.copyOf(arguments(step)), outputs.buildOrThrow());
    }

    @Override
    public ImmutableList<TracedValue> zeros() {
      return ImmutableList.of();
    }

    @Override
    public long scratchBytes() {
      return routine.scratchBytes();
    }

    @Override
    public boolean mayOverwrite(String input, String output) {
      return false;
    }
  }

  /**
   * A step as loop nests with known extents.
   *
   * @param program the nests; only outputs that something reads
   * @param inputs for each input of the nests the value that it reads
   * @param outputs for each output of the nests the value that it writes
   * @param zeros the values that are filled with zeros
   * @param tiling how the nests are cut
   * @param scratchBytes the bytes of scratch memory that the nests need
   */
  record Nests(
      TracedStep step,
      MicroProgram program,
      ImmutableMap<String, TracedValue> inputs,
      ImmutableMap<String, TracedValue> outputs,
      ImmutableList<TracedValue> zeros,
      Tiling tiling,
      long scratchBytes)
      implements LoweredStep {

    public Nests {
      requireNonNull(step, "step");
      requireNonNull(program, "program");
      requireNonNull(inputs, "inputs");
      requireNonNull(outputs, "outputs");
      requireNonNull(zeros, "zeros");
      requireNonNull(tiling, "tiling");
    }

    @Override
    public boolean mayOverwrite(String input, String output) {
      return InPlaceProof.holds(program, input, output);
    }

    private static Nests of(TracedStep step, Translation translation, TracedProgram trace) {
      Map<String, TracedValue> arguments = arguments(step);
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
      return new Nests(
          step,
          program,
          inputs.buildOrThrow(),
          live,
          zeros.build(),
          Tiling.PLAIN,
          CFunctions.workspaceBytes(program, Tiling.PLAIN));
    }

    /** The same step with nests that are cut otherwise. */
    Nests withTiling(Tiling newTiling) {
      return new Nests(
          step,
          program,
          inputs,
          outputs,
          zeros,
          newTiling,
          CFunctions.workspaceBytes(program, newTiling));
    }

    /**
     * The same step with constants in the order of {@link PackedRows}.
     *
     * @param packed the constants, by the inputs of the nests
     */
    Nests withPacked(Map<String, TracedValue> packed) {
      Map<String, TracedValue> all = new LinkedHashMap<>(inputs);
      all.putAll(packed);
      return new Nests(
          step,
          program,
          ImmutableMap.copyOf(all),
          outputs,
          zeros,
          tiling.withPacked(ImmutableSet.copyOf(packed.keySet())),
          scratchBytes);
    }

    /** Simplifies a program, without the outputs that are not live. */
    private static MicroProgram simplified(
        MicroProgram program, ImmutableMap<String, TracedValue> live) {
      ImmutableList.Builder<TensorDeclaration> tensors = ImmutableList.builder();
      for (TensorDeclaration tensor : program.tensors()) {
        boolean isDead = tensor.role() == Role.OUTPUT && !live.containsKey(tensor.name());
        tensors.add(
            isDead
                ? new TensorDeclaration(
                    tensor.name(), Role.TEMPORARY, tensor.type(), tensor.shape())
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
}
