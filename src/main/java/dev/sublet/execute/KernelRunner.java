package dev.sublet.execute;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.operator.Effect;
import dev.sublet.operator.LodRule;
import dev.sublet.tensor.Tensor;
import java.util.Map;

/** Runs operators that compute tensors from tensors. */
final class KernelRunner {

  private final Kernels kernels;

  KernelRunner(Kernels kernels) {
    this.kernels = kernels;
  }

  /**
   * Runs an operator: reads its inputs, computes, writes its outputs.
   *
   * <p>An output that the kernel gives no value has none afterwards, unless it is an input too or
   * the catalog says that it may stay as it was.
   */
  void run(Step step) {
    ImmutableListMultimap<String, LodTensor> inputs = step.readAll();
    ImmutableSet.Builder<String> wanted = ImmutableSet.builder();
    for (Argument output : step.outputs()) {
      wanted.add(output.slot());
    }
    OperatorCall call = new OperatorCall(step.operation(), inputs, wanted.build());
    OperatorResult result = compute(step, call);
    for (Argument output : step.outputs()) {
      ImmutableList<OperatorResult.Output> values = result.outputs().get(output.slot());
      if (output.index() < values.size()) {
        OperatorResult.Output value = values.get(output.index());
        ImmutableList<ImmutableLongArray> lod =
            value.lod().orElseGet(() -> passedLod(step, inputs, value.tensor()));
        step.write(output, new LodTensor(value.tensor(), lod));
      } else if (step.spec().outputEffect(output.slot()) == Effect.MUST_WRITE
          && !step.isInput(output.cell())) {
        step.clear(output);
      }
    }
  }

  private OperatorResult compute(Step step, OperatorCall call) {
    Kernel kernel =
        kernels
            .find(call.type())
            .orElseThrow(() -> new IllegalStateException("no kernel for " + step));
    try {
      return kernel.run(call);
    } catch (IllegalArgumentException e) {
      // Shapes that contradict each other show where a kernel or its micro program checks them.
      OperatorException placed = new OperatorException(String.valueOf(e.getMessage()));
      placed.initCause(e);
      throw placed;
    }
  }

  /**
   * The sequences that an output takes over: those of the first input that has any, may pass them
   * on, and has as many rows.
   */
  private static ImmutableList<ImmutableLongArray> passedLod(
      Step step, ImmutableListMultimap<String, LodTensor> inputs, Tensor output) {
    if (step.spec().lodRule() == LodRule.PASSES) {
      for (Map.Entry<String, LodTensor> input : inputs.entries()) {
        LodTensor source = input.getValue();
        if (step.spec().passesLodOf(input.getKey())
            && !source.lod().isEmpty()
            && output.rank() > 0
            && source.tensor().rank() > 0
            && source.tensor().size(0) == output.size(0)) {
          return source.lod();
        }
      }
    }
    return ImmutableList.of();
  }
}
