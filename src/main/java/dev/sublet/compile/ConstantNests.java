package dev.sublet.compile;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.HashMultiset;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Multiset;
import dev.sublet.compile.trace.TracedValue;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.micro.emit.CFunctions;
import dev.sublet.runtime.micro.emit.Tiling;
import dev.sublet.runtime.micro.fuse.SimplifyProgram;
import dev.sublet.runtime.micro.fuse.fact.BlockUse;
import dev.sublet.runtime.micro.fuse.fact.NamedBlock;
import dev.sublet.runtime.micro.ir.LoopBlock;
import dev.sublet.runtime.micro.ir.MicroFunction;
import dev.sublet.runtime.micro.ir.MicroProgram;
import dev.sublet.runtime.micro.ir.TensorDeclaration;
import dev.sublet.runtime.micro.ir.TensorDeclaration.Role;
import dev.sublet.runtime.micro.run.CompiledMicro;
import dev.sublet.runtime.tensor.Tensor;
import dev.sublet.runtime.tensor.TensorBytes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Computes nests that depend on constants only. The C program contains their results instead:
 *
 * <pre>
 * s[i0] = scale[i0] / sqrt(variance[i0] + 0.00001);  y[i0, i1] = x[i0, i1] * s[i0]
 * →  y[i0, i1] = x[i0, i1] * s[i0], with a constant s
 * </pre>
 *
 * <p>The results of a step never take more bytes than the constants that they are computed from.
 * O(size of the nests + operations that they run).
 */
final class ConstantNests {

  private final LoweredStep.Nests step;

  /** The names of constants, and of temporaries that are computed from constants. */
  private final Set<String> known = new HashSet<>();

  /** The temporaries among {@link #known}, in the order in which they are computed. */
  private final Set<String> computed = new LinkedHashSet<>();

  /** How many nests write each tensor. */
  private final Multiset<String> writers = HashMultiset.create();

  /** The nests that are computed now. */
  private final List<LoopBlock> run = new ArrayList<>();

  /** The nests that stay. */
  private final List<NamedBlock> left = new ArrayList<>();

  private ConstantNests(LoweredStep.Nests step) {
    this.step = step;
    step.inputs()
        .forEach(
            (name, value) -> {
              boolean isSame = step.program().tensor(name).type() == value.type();
              if (value.isConstant() && isSame) {
                known.add(name);
              }
            });
    for (NamedBlock each : NamedBlock.of(step.program())) {
      writers.addAll(BlockUse.of(each.block()).writes());
    }
  }

  /** Returns steps without nests that depend on constants only. */
  static ImmutableList<LoweredStep> run(ImmutableList<LoweredStep> steps) {
    Set<String> names = new HashSet<>();
    for (LoweredStep each : steps) {
      each.step().inputs().values().forEach(value -> names.add(value.name()));
      each.step().outputs().values().forEach(value -> names.add(value.name()));
    }
    ImmutableList.Builder<LoweredStep> folded = ImmutableList.builder();
    for (LoweredStep each : steps) {
      folded.add(
          each instanceof LoweredStep.Nests nests ? new ConstantNests(nests).step(names) : each);
    }
    return folded.build();
  }

  private LoweredStep step(Set<String> names) {
    for (NamedBlock each : NamedBlock.of(step.program())) {
      BlockUse use = BlockUse.of(each.block());
      if (isConstant(use)) {
        run.add(each.block());
        known.addAll(use.writes());
        computed.addAll(use.writes());
      } else {
        left.add(each);
      }
    }
    if (run.isEmpty()) {
      return step;
    }
    MicroProgram constants = constants();
    Optional<ImmutableMap<String, Tensor>> results = results(constants);
    return results.isPresent() ? with(results.get(), names) : step;
  }

  /** Whether a nest reads known tensors only, and no other nest writes its temporaries. */
  private boolean isConstant(BlockUse use) {
    for (String name : use.writes()) {
      if (writers.count(name) > 1 || step.program().tensor(name).role() != Role.TEMPORARY) {
        return false;
      }
    }
    return use.reads().stream()
        .allMatch(name -> known.contains(name) || use.writes().contains(name));
  }

  /** Returns a program of the constant nests. */
  private MicroProgram constants() {
    ImmutableList.Builder<TensorDeclaration> tensors = ImmutableList.builder();
    for (TensorDeclaration tensor : step.program().tensors()) {
      if (known.contains(tensor.name())) {
        Role role = computed.contains(tensor.name()) ? Role.OUTPUT : Role.INPUT;
        tensors.add(new TensorDeclaration(tensor.name(), role, tensor.type(), tensor.shape()));
      }
    }
    MicroFunction function = new MicroFunction("constants", ImmutableList.copyOf(run));
    return new MicroProgram(
        step.program().name(),
        step.program().parameters(),
        tensors.build(),
        step.program().requirements(),
        ImmutableList.of(function));
  }

  private Optional<ImmutableMap<String, Tensor>> results(MicroProgram constants) {
    ImmutableMap.Builder<String, Tensor> inputs = ImmutableMap.builder();
    long bytes = 0;
    Set<String> read = new HashSet<>();
    run.forEach(block -> read.addAll(BlockUse.of(block).reads()));
    for (TensorDeclaration tensor : constants.tensors()) {
      if (tensor.role() == Role.INPUT) {
        Tensor elements = requireNonNull(step.inputs().get(tensor.name())).tensor().tensor();
        inputs.put(tensor.name(), elements);
        bytes += read.contains(tensor.name()) ? bytes(elements) : 0;
      }
    }
    ImmutableMap<String, Tensor> results =
        CompiledMicro.compile(constants).run(inputs.buildOrThrow(), ImmutableMap.of());
    for (Tensor result : results.values()) {
      bytes -= bytes(result);
    }
    return bytes < 0 ? Optional.empty() : Optional.of(results);
  }

  private static long bytes(Tensor tensor) {
    return TensorBytes.size(tensor.type(), tensor.shape());
  }

  private LoweredStep with(ImmutableMap<String, Tensor> results, Set<String> names) {
    ImmutableList.Builder<TensorDeclaration> tensors = ImmutableList.builder();
    for (TensorDeclaration tensor : step.program().tensors()) {
      Role role = computed.contains(tensor.name()) ? Role.INPUT : tensor.role();
      tensors.add(new TensorDeclaration(tensor.name(), role, tensor.type(), tensor.shape()));
    }
    MicroProgram without =
        NamedBlock.replace(
            new MicroProgram(
                step.program().name(),
                step.program().parameters(),
                tensors.build(),
                step.program().requirements(),
                step.program().functions()),
            left);
    MicroProgram program =
        SimplifyProgram.simplify(without, /* dropUnusedInputs= */ true).program();
    String result = step.outputs().values().iterator().next().name();
    Map<String, TracedValue> values = new HashMap<>(step.inputs());
    results.forEach(
        (name, tensor) -> values.put(name, constant(result + "." + name, tensor, names)));
    ImmutableMap.Builder<String, TracedValue> inputs = ImmutableMap.builder();
    for (TensorDeclaration tensor : program.tensors()) {
      if (tensor.role() == Role.INPUT) {
        inputs.put(tensor.name(), requireNonNull(values.get(tensor.name())));
      }
    }
    return new LoweredStep.Nests(
        step.step(),
        program,
        inputs.buildOrThrow(),
        step.outputs(),
        step.zeros(),
        Tiling.PLAIN,
        CFunctions.workspaceBytes(program, Tiling.PLAIN));
  }

  private static TracedValue constant(String wanted, Tensor tensor, Set<String> names) {
    String name = wanted;
    for (int k = 2; !names.add(name); k++) {
      name = wanted + "#" + k;
    }
    return new TracedValue(name, LodTensor.of(tensor), /* isConstant= */ true, Optional.empty());
  }
}
