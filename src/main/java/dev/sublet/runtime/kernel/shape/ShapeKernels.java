package dev.sublet.runtime.kernel.shape;

import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.kernel.KernelRegistry;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorResult;
import dev.sublet.runtime.tensor.Tensor;

/** Operators that return shapes. Their results do not depend on any element. */
public final class ShapeKernels {

  private ShapeKernels() {}

  /** Registers the kernels. */
  public static void register(KernelRegistry.Builder kernels) {
    kernels.kernel("shape", ShapeKernels::shape);
    kernels.kernel("size", ShapeKernels::size);
  }

  private static OperatorResult shape(OperatorCall call) {
    ImmutableLongArray shape = call.shape("Input");
    int[] extents = new int[shape.length()];
    for (int axis = 0; axis < extents.length; axis++) {
      extents[axis] = (int) shape.get(axis);
    }
    return OperatorResult.of("Out", Tensor.of(ImmutableLongArray.of(extents.length), extents));
  }

  private static OperatorResult size(OperatorCall call) {
    return OperatorResult.of(
        "Out", Tensor.of(ImmutableLongArray.of(1), (long) call.input("Input").length()));
  }
}
