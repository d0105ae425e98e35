package dev.sublet.runtime.machine;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.operator.spec.Effect;
import dev.sublet.operator.spec.LodRule;
import dev.sublet.runtime.kernel.Kernel;
import dev.sublet.runtime.kernel.KernelRegistry;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.OperatorResult;
import dev.sublet.runtime.memory.Argument;
import dev.sublet.runtime.memory.Step;
import dev.sublet.runtime.tensor.Tensor;
import dev.sublet.runtime.tensor.TooLargeException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Runs operators that compute tensors from tensors. */
final class KernelRunner {

  private static final int INPUTS_SHOWN = 8;

  private final KernelRegistry kernels;

  KernelRunner(KernelRegistry kernels) {
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
    OperatorResult result = compute(call, kernels);
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

  /**
   * The outputs of an operator.
   *
   * @throws OperatorException if shapes, types or attributes do not fit
   */
  static OperatorResult compute(OperatorCall call, KernelRegistry kernels) {
    Kernel kernel =
        kernels
            .find(call.type())
            .orElseThrow(() -> new IllegalStateException("no kernel for " + call.operation()));
    try {
      return kernel.run(call);
    } catch (TooLargeException e) {
      OperatorException placed = OperatorException.beyondLimits(String.valueOf(e.getMessage()));
      placed.initCause(e);
      throw placed;
    } catch (IllegalArgumentException e) {
      // Shapes that contradict each other show where a kernel or its micro program checks them.
      OperatorException placed = new OperatorException(e.getMessage() + "; " + inputs(call));
      placed.initCause(e);
      throw placed;
    }
  }

  /** What an operator was given, as {@code X float32[2, 3], Y int64[4]}. */
  private static String inputs(OperatorCall call) {
    List<String> inputs = new ArrayList<>();
    for (Map.Entry<String, LodTensor> input : call.inputs().entries()) {
      Tensor tensor = input.getValue().tensor();
      if (inputs.size() < INPUTS_SHOWN) {
        inputs.add(input.getKey() + " " + tensor.type() + tensor.shape());
      }
    }
    int hidden = call.inputs().size() - inputs.size();
    return inputs.isEmpty()
        ? "it has no inputs"
        : "its inputs are " + String.join(", ", inputs) + (hidden == 0 ? "" : ", …");
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
