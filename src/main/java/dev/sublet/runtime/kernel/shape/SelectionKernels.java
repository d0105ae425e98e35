package dev.sublet.runtime.kernel.shape;

import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.kernel.ElementWriter;
import dev.sublet.runtime.kernel.KernelRegistry;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorResult;
import dev.sublet.runtime.tensor.Tensor;
import java.util.Arrays;

/** Operators whose number of output elements depends on a condition on each element. */
public final class SelectionKernels {

  private SelectionKernels() {}

  /** Registers the kernels. */
  public static void register(KernelRegistry.Builder kernels) {
    kernels.kernel("masked_select", SelectionKernels::maskedSelect);
    kernels.kernel("masked_select_grad", SelectionKernels::maskedSelectGradient);
    kernels.kernel("where_index", SelectionKernels::whereIndex);
  }

  /** Computes the indices of all nonzero elements, one row per element. */
  private static OperatorResult whereIndex(OperatorCall call) {
    Tensor condition = call.input("Condition");
    return OperatorResult.of("Out", indices(condition));
  }

  /** Returns the indices of nonzero elements, one row per element. O(elements × rank). */
  public static Tensor indices(Tensor condition) {
    int[] places = places(condition);
    int rank = condition.rank();
    long[] indices = new long[places.length * rank];
    for (int row = 0; row < places.length; row++) {
      long rest = places[row];
      for (int axis = rank - 1; axis >= 0; axis--) {
        indices[row * rank + axis] = rest % condition.size(axis);
        rest /= condition.size(axis);
      }
    }
    return Tensor.of(ImmutableLongArray.of(places.length, rank), indices);
  }

  private static OperatorResult maskedSelect(OperatorCall call) {
    Tensor x = call.input("X");
    int[] places = places(call.input("Mask"));
    Tensor out = Tensor.zeros(x.type(), ImmutableLongArray.of(places.length));
    for (int i = 0; i < places.length; i++) {
      ElementWriter.copy(x, places[i], out, i, 1);
    }
    return OperatorResult.of("Y", out);
  }

  private static OperatorResult maskedSelectGradient(OperatorCall call) {
    Tensor gradient = call.input("Y@GRAD");
    int[] places = places(call.input("Mask"));
    Tensor out = Tensor.zeros(gradient.type(), call.shape("X"));
    for (int i = 0; i < places.length; i++) {
      ElementWriter.copy(gradient, i, out, places[i], 1);
    }
    return OperatorResult.of("X@GRAD", out);
  }

  /** Returns the places of nonzero elements, in row-major order. O(elements). */
  public static int[] places(Tensor condition) {
    int[] places = new int[condition.length()];
    int count = 0;
    for (int i = 0; i < places.length; i++) {
      if (condition.getDouble(i) != 0) {
        places[count++] = i;
      }
    }
    return Arrays.copyOf(places, count);
  }
}
