package dev.sublet.compile.trace;

import static com.google.common.collect.ImmutableListMultimap.toImmutableListMultimap;
import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.compile.kernel.CRoutine;
import dev.sublet.compile.kernel.CRoutines;
import dev.sublet.compile.kernel.PointwiseNests;
import dev.sublet.compile.kernel.UncompiledException;
import dev.sublet.operator.OperatorCatalog;
import dev.sublet.operator.spec.OperatorSpec;
import dev.sublet.program.Operation;
import dev.sublet.program.Program;
import dev.sublet.program.Slot;
import dev.sublet.runtime.kernel.Kernel;
import dev.sublet.runtime.kernel.KernelRegistry;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.kernel.LoweringCall;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.OperatorResult;
import dev.sublet.runtime.kernel.PassedLod;
import dev.sublet.runtime.kernel.Translation;
import dev.sublet.runtime.machine.Kernels;
import dev.sublet.runtime.micro.fuse.SimplifyProgram;
import dev.sublet.runtime.tensor.MissingElementsException;
import dev.sublet.runtime.tensor.Tensor;
import java.util.Map;
import java.util.Optional;

/** Traces single operators: computes what does not depend on feeds, translates the rest. */
final class OperatorTrace {

  /** The bytes up to which a value becomes data of the program although its operator reads less. */
  private static final long FEW_BYTES = 1024;

  private static final String NO_C = "has neither a translation to loops nor a C kernel";

  private final Program program;
  private final OperatorCatalog catalog;
  private final KernelRegistry kernels = Kernels.all();

  OperatorTrace(Program program, OperatorCatalog catalog) {
    this.program = program;
    this.catalog = catalog;
  }

  /**
   * What becomes of an operator.
   *
   * @param outputs the outputs by slot
   * @param code the computation; empty if all outputs are constants or inputs
   * @param refusal the reason why the operator cannot be compiled; empty if it can
   */
  record Outcome(
      ImmutableListMultimap<String, LodTensor> outputs,
      Optional<TracedStep.Code> code,
      Optional<String> refusal) {

    /** Whether the shape of an output depends on data. */
    boolean isDynamic(String slot, int argument) {
      return code.isPresent()
          && code.get() instanceof TracedStep.Code.OfRoutine call
          && call.routine().dynamic().contains(LoweringCall.outputName(slot, argument));
    }

    static Outcome refused(String reason) {
      return new Outcome(ImmutableListMultimap.of(), Optional.empty(), Optional.of(reason));
    }
  }

  /** Returns the reason why operators of a type can never be compiled; empty if they can. */
  Optional<String> refusal(Operation operation) {
    if (!operation.blocks().isEmpty()) {
      return Optional.of("runs a block in a way that is not compiled");
    }
    return kernels.find(operation.type()).isEmpty()
        ? Optional.of("has no kernel; scopes and random numbers are not compiled")
        : Optional.empty();
  }

  /**
   * Traces an operator that is not {@linkplain #refusal refused}.
   *
   * @throws OperatorException if it does not accept its inputs
   */
  Outcome trace(Operation operation, ImmutableListMultimap<String, TracedValue> inputs) {
    Kernel kernel = kernels.find(operation.type()).orElseThrow();
    try {
      return trace(kernel, call(operation, inputs), inputs);
    } catch (IllegalArgumentException e) {
      // A kernel or its micro program found shapes that contradict each other.
      throw new OperatorException(String.valueOf(e.getMessage()));
    }
  }

  private static OperatorCall call(
      Operation operation, ImmutableListMultimap<String, TracedValue> inputs) {
    ImmutableSet.Builder<String> wanted = ImmutableSet.builder();
    for (Slot slot : operation.outputSlots()) {
      if (slot.size() > 0) {
        wanted.add(slot.name());
      }
    }
    return new OperatorCall(
        operation,
        inputs.entries().stream()
            .collect(toImmutableListMultimap(Map.Entry::getKey, e -> e.getValue().tensor())),
        wanted.build());
  }

  private Outcome trace(
      Kernel kernel, OperatorCall call, ImmutableListMultimap<String, TracedValue> inputs) {
    for (LodTensor input : call.inputs().values()) {
      if (!kernel.takes(input.tensor().type())) {
        return Outcome.refused("computes with " + input.tensor().type());
      }
    }
    for (TracedValue input : inputs.values()) {
      if (input.shape().isPresent() && !isPointwise(kernel, call)) {
        return Outcome.refused("reads '" + input.name() + "', whose shape depends on data");
      }
    }
    Optional<Translation> translation;
    try {
      translation = kernel.translate(call);
    } catch (MissingElementsException e) {
      return routine(call, "depends on elements that the program computes: " + e.getMessage());
    }
    boolean isKnown = call.inputs().values().stream().allMatch(t -> t.tensor().hasElements());
    if (translation.isEmpty() || isKnown || translation.get().inputs().isEmpty()) {
      return compute(kernel, call, translation, inputs);
    }
    return ofTranslation(call, translation.get());
  }

  /** Whether each element of the output depends on nothing but the same element of the input. */
  private static boolean isPointwise(Kernel kernel, OperatorCall call) {
    if (call.inputs().size() != 1 || !kernel.isLowered()) {
      return false;
    }
    Optional<Translation> translation = kernel.translate(call);
    return translation.isPresent()
        && PointwiseNests.is(
            BoundProgram.of(
                SimplifyProgram.simplify(translation.get().program(), /* dropUnusedInputs= */ true)
                    .program()));
  }

  /** Runs an operator that does not depend on feeds, or only on their shapes. */
  private Outcome compute(
      Kernel kernel,
      OperatorCall call,
      Optional<Translation> translation,
      ImmutableListMultimap<String, TracedValue> inputs) {
    ImmutableListMultimap<String, LodTensor> outputs;
    try {
      outputs = outputs(call, kernel.run(call));
    } catch (MissingElementsException e) {
      return routine(call, NO_C);
    }
    for (LodTensor output : outputs.values()) {
      if (!output.tensor().hasElements() && sameTensor(output, inputs).isEmpty()) {
        return routine(call, NO_C);
      }
    }
    boolean isData =
        translation.isEmpty() || isSmall(outputs, inputs) || outlivesRun(call.operation());
    Optional<TracedStep.Code> code =
        isData ? Optional.empty() : translation.map(TracedStep.Code.OfLoops::new);
    return new Outcome(outputs, code, Optional.empty());
  }

  /**
   * Returns an operator as calls of C functions.
   *
   * @param refusal the reason to refuse it if it has no C kernel
   */
  private Outcome routine(OperatorCall call, String refusal) {
    Optional<CRoutine> routine;
    try {
      routine = CRoutines.find(call);
    } catch (UncompiledException e) {
      return Outcome.refused(String.valueOf(e.getMessage()));
    } catch (MissingElementsException e) {
      return Outcome.refused("depends on elements that the program computes: " + e.getMessage());
    }
    if (routine.isEmpty()) {
      return Outcome.refused(refusal);
    }
    OperatorSpec spec = catalog.lookup(call.type());
    ImmutableListMultimap.Builder<String, LodTensor> outputs = ImmutableListMultimap.builder();
    for (Slot slot : call.operation().outputSlots()) {
      for (int i = 0; i < slot.size(); i++) {
        String name = LoweringCall.outputName(slot.name(), i);
        Tensor tensor = routine.get().outputs().get(name);
        ImmutableList<ImmutableLongArray> lod = routine.get().lod().get(name);
        if (tensor != null) {
          outputs.put(
              slot.name(),
              new LodTensor(tensor, lod != null ? lod : PassedLod.of(spec, call.inputs(), tensor)));
        }
      }
    }
    return new Outcome(
        outputs.build(),
        Optional.of(new TracedStep.Code.OfRoutine(routine.get())),
        Optional.empty());
  }

  /**
   * Returns the input whose elements an output has, if the kernel has returned the input itself, as
   * a dropout that does not train does.
   */
  @SuppressWarnings("ReferenceEquality") // equal shapes are no equal elements
  static Optional<TracedValue> sameTensor(
      LodTensor output, ImmutableListMultimap<String, TracedValue> inputs) {
    return inputs.values().stream()
        .filter(input -> input.tensor().tensor() == output.tensor())
        .findFirst();
  }

  /** Whether an operator writes variables that outlive a run, as folded constants of ONNX do. */
  private boolean outlivesRun(Operation operation) {
    for (int i = 0; i < operation.outputCount(); i++) {
      int variable = operation.output(i);
      if (variable != Program.NO_VARIABLE && program.variable(variable).isPersistable()) {
        return true;
      }
    }
    return false;
  }

  /** Whether computed constants take no more bytes than the constants they are computed from. */
  private static boolean isSmall(
      ImmutableListMultimap<String, LodTensor> outputs,
      ImmutableListMultimap<String, TracedValue> inputs) {
    long written = outputs.values().stream().mapToLong(OperatorTrace::bytes).sum();
    long read = 0;
    for (TracedValue input : inputs.values()) {
      read += input.isConstant() ? input.bytes() : 0;
    }
    return written <= Math.max(FEW_BYTES, read);
  }

  private static long bytes(LodTensor tensor) {
    return (long) tensor.tensor().length() * tensor.tensor().type().bytes();
  }

  private ImmutableListMultimap<String, LodTensor> outputs(
      OperatorCall call, OperatorResult result) {
    OperatorSpec spec = catalog.lookup(call.type());
    return result.outputs().entries().stream()
        .collect(
            toImmutableListMultimap(
                Map.Entry::getKey,
                e ->
                    new LodTensor(
                        e.getValue().tensor(),
                        e.getValue()
                            .lod()
                            .orElseGet(
                                () -> PassedLod.of(spec, call.inputs(), e.getValue().tensor())))));
  }

  private Outcome ofTranslation(OperatorCall call, Translation translation) {
    ImmutableMap<String, ImmutableLongArray> shapes = BoundProgram.shapes(translation.program());
    OperatorSpec spec = catalog.lookup(call.type());
    ImmutableListMultimap.Builder<String, LodTensor> outputs = ImmutableListMultimap.builder();
    for (Slot slot : call.operation().outputSlots()) {
      for (int i = 0; i < slot.size(); i++) {
        String name = LoweringCall.outputName(slot.name(), i);
        String computed = translation.outputs().get(name);
        Tensor zeros = translation.zeros().get(name);
        if (computed != null || zeros != null) {
          Tensor shaped =
              computed != null
                  ? Tensor.withoutElements(
                      translation.program().tensor(computed).type(),
                      requireNonNull(shapes.get(computed)))
                  : Tensor.withoutElements(requireNonNull(zeros).type(), zeros.shape());
          if (shaped.type().carrier() != shaped.type()) {
            return Outcome.refused("computes " + shaped.type());
          }
          outputs.put(
              slot.name(), new LodTensor(shaped, PassedLod.of(spec, call.inputs(), shaped)));
        }
      }
    }
    return new Outcome(
        outputs.build(), Optional.of(new TracedStep.Code.OfLoops(translation)), Optional.empty());
  }
}
