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
    ImmutableLongArray shape = flat ? ImmutableLongArray.of(x.length()) : x.shape();
    Tensor out = Tensor.zeros(x.type(), shape);
    int axis = flat ? 0 : Shapes.axis(call.integer("axis", -1), x.rank());
    int extent = (int) shape.get(axis);
    int inner = (int) Shapes.count(shape.toArray(), axis + 1, shape.length());
    int outer = (int) Shapes.count(shape.toArray(), 0, axis);
    int step = call.flag("reverse", false) ? -inner : inner;
    boolean exclusive = call.flag("exclusive", false);
    for (int i = 0; i < outer * inner; i++) {
      int first = i / inner * extent * inner + i % inner + (step < 0 ? (extent - 1) * inner : 0);
      accumulate(x, out, first, step, extent, exclusive);
    }
    return OperatorResult.of("Out", out);
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
