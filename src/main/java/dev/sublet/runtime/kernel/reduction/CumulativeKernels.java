package dev.sublet.runtime.kernel.reduction;

import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.kernel.ElementWriter;
import dev.sublet.runtime.kernel.KernelRegistry;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorResult;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.tensor.Tensor;

/**
 * Running sums. Each element needs the element before it, which micro ops cannot express in
 * O(elements).
 */
public final class CumulativeKernels {

  private CumulativeKernels() {}

  /** Registers the kernels. */
  public static void register(KernelRegistry.Builder kernels) {
    kernels.kernel("cumsum", CumulativeKernels::sum);
  }

  private static OperatorResult sum(OperatorCall call) {
    Tensor x = call.input("X");
    boolean flat = call.flag("flatten", false);
    int axis = flat ? 0 : Shapes.axis(call.integer("axis", -1), x.rank());
    Tensor summed = flat ? x.reshaped(ImmutableLongArray.of(x.length())) : x;
    boolean isReverse = call.flag("reverse", false);
    return OperatorResult.of("Out", sums(summed, axis, call.flag("exclusive", false), isReverse));
  }

  /**
   * Returns running sums along an axis. O(elements).
   *
   * @param exclusive whether a sum is without the element in its own place
   * @param reverse whether sums run from the last element to the first
   */
  public static Tensor sums(Tensor x, int axis, boolean exclusive, boolean reverse) {
    long[] shape = x.shape().toArray();
    Tensor out = Tensor.zeros(x.type(), x.shape());
    int extent = (int) shape[axis];
    int inner = (int) Shapes.count(shape, axis + 1, shape.length);
    int outer = (int) Shapes.count(shape, 0, axis);
    int step = reverse ? -inner : inner;
    for (int i = 0; i < outer * inner; i++) {
      int first = i / inner * extent * inner + i % inner + (step < 0 ? (extent - 1) * inner : 0);
      accumulate(x, out, first, step, extent, exclusive);
    }
    return out;
  }

  private static void accumulate(
      Tensor x, Tensor out, int first, int step, int extent, boolean exclusive) {
    for (int k = 0; k < extent; k++) {
      int at = first + k * step;
      int added = exclusive ? at - step : at;
      boolean nothing = exclusive && k == 0;
      if (x.type().isFloating()) {
        double before = k == 0 ? 0 : out.getDouble(at - step);
        ElementWriter.put(out, at, nothing ? 0 : before + x.getDouble(added));
      } else {
        long before = k == 0 ? 0 : out.getLong(at - step);
        ElementWriter.put(out, at, nothing ? 0 : before + x.getLong(added));
      }
    }
  }
}
