package dev.sublet.runtime.kernel.onnx.reduction;

import dev.sublet.runtime.kernel.IntegerArguments;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.OperatorResult;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.kernel.onnx.CarriedKernel.OutputTypes;
import dev.sublet.runtime.kernel.onnx.CarriedKernel.Use;
import dev.sublet.runtime.kernel.onnx.OnnxFamily;
import dev.sublet.runtime.kernel.reduction.CumulativeKernels;
import dev.sublet.runtime.kernel.reduction.SortKernels;
import dev.sublet.runtime.tensor.Tensor;

/** Operators that sort, and running sums. */
public final class OnnxOrders {

  private OnnxOrders() {}

  /** Registers the kernels. */
  public static void register(OnnxFamily family) {
    family.kernel("CumSum", Use.BITS, OutputTypes.like(0), OnnxOrders::cumulativeSum);
    family.kernel("TopK", Use.NUMBERS, OutputTypes.like(0, "0"), OnnxOrders::topK);
  }

  private static OperatorResult topK(OperatorCall call) {
    Tensor x = call.input("0");
    long k = IntegerArguments.single(call, "k", 0, "1");
    int axis = Shapes.axis(call.integer("axis", -1), x.rank());
    if (k < 0 || k > x.size(axis)) {
      throw new OperatorException("the first " + k + " of " + x.size(axis));
    }
    // The order of an unsorted result is open.
    SortKernels.Sorted sorted = SortKernels.sorted(x, axis, (int) k, call.flag("largest", true));
    return OperatorResult.builder().put("0", sorted.elements()).put("1", sorted.indices()).build();
  }

  private static OperatorResult cumulativeSum(OperatorCall call) {
    Tensor x = call.input("0");
    int axis = Shapes.axis(call.scalarInput("1").getLong(0), x.rank());
    boolean isExclusive = call.flag("exclusive", false);
    boolean isReverse = call.flag("reverse", false);
    return OperatorResult.of("0", CumulativeKernels.sums(x, axis, isExclusive, isReverse));
  }
}
