package dev.sublet.runtime.machine;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.ImmutableSetMultimap;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.operator.spec.Effect;
import dev.sublet.runtime.kernel.Kernel;
import dev.sublet.runtime.kernel.KernelRegistry;
import dev.sublet.runtime.kernel.LodTensor;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.OperatorResult;
import dev.sublet.runtime.kernel.PassedLod;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.memory.Argument;
import dev.sublet.runtime.memory.Step;
import dev.sublet.runtime.tensor.Tensor;
import dev.sublet.runtime.tensor.TooLargeException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Runs the operators that have a kernel. */
final class KernelRunner {

  private static final int INPUTS_SHOWN = 8;

  /**
   * The inputs that an operator reads only for some values of its attributes, and that the forward
   * operator writes only for these: pooling writes {@code MaxIndex} for the maximum alone.
   */
  private static final ImmutableSetMultimap<String, String> MAY_LACK =
      ImmutableSetMultimap.of("sequence_pool_grad", "MaxIndex");

  private final KernelRegistry kernels;

  KernelRunner(KernelRegistry kernels) {
    this.kernels = kernels;
  }

  /**
   * Runs an operator: reads its inputs, computes, writes its outputs.
   *
   * <p>An output for which the kernel returns no value has no value afterwards, with two
   * exceptions: the output is also an input, or the catalog states that the operator need not write
   * it.
   */
  void run(Step step) {
    ImmutableListMultimap<String, LodTensor> inputs =
        step.readAll(MAY_LACK.get(step.operation().type()));
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
            value.lod().orElseGet(() -> PassedLod.of(step.spec(), inputs, value.tensor()));
        step.write(output, new LodTensor(value.tensor(), lod));
      } else if (step.spec().effects().on(output.slot()) == Effect.MUST_WRITE
          && !step.isInput(output.cell())) {
        step.clear(output);
      }
    }
  }

  /**
   * Computes the outputs of an operator.
   *
   * @throws OperatorException if shapes, types or attributes do not fit
   */
  static OperatorResult compute(OperatorCall call, KernelRegistry kernels) {
    Kernel kernel =
        kernels
            .find(call.type())
            .orElseThrow(() -> new IllegalStateException("no kernel for " + call.operation()));
    checkTypes(call, kernel);
    try {
      OperatorResult result = kernel.run(call);
      for (OperatorResult.Output output : result.outputs().values()) {
        Shapes.checkRank(output.tensor().shape().length());
      }
      return result;
    } catch (TooLargeException e) {
      OperatorException placed = OperatorException.beyondLimits(String.valueOf(e.getMessage()));
      placed.initCause(e);
      throw placed;
    } catch (IllegalArgumentException e) {
      // A kernel or its micro program found shapes that contradict each other.
      OperatorException placed = new OperatorException(e.getMessage() + "; " + inputs(call));
      placed.initCause(e);
      throw placed;
    }
  }

  private static void checkTypes(OperatorCall call, Kernel kernel) {
    for (LodTensor input : call.inputs().values()) {
      if (!kernel.takes(input.tensor().type())) {
        throw new OperatorException(
            "tensors of " + input.tensor().type() + " cannot be computed with; " + inputs(call));
      }
    }
  }

  /** Describes the inputs of an operator, for a message: {@code X float32[2, 3], Y int64[4]}. */
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
}
