package dev.sublet.runtime.kernel.reduction;

import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.kernel.ElementWriter;
import dev.sublet.runtime.kernel.IntegerArguments;
import dev.sublet.runtime.kernel.KernelRegistry;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.OperatorResult;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.tensor.Tensor;
import java.util.Arrays;
import java.util.Comparator;

/**
 * Operators that sort. Micro ops can read at given indices but cannot find an order, so these
 * operators have Java code of their own. Of equal elements the one with the smaller index comes
 * first, and 0 equals -0; NaN is larger than all numbers.
 */
public final class SortKernels {

  private SortKernels() {}

  /** Registers the kernels. */
  public static void register(KernelRegistry.Builder kernels) {
    kernels.kernel("argsort", SortKernels::argsort);
    kernels.kernel("top_k", SortKernels::topK);
    kernels.kernel("top_k_grad", SortKernels::gradient);
    kernels.kernel("top_k_v2", SortKernels::topKV2);
    kernels.kernel("top_k_v2_grad", SortKernels::gradient);
    kernels.kernel("argsort_grad", SortKernels::gradient);
  }

  /**
   * The lines of elements along an axis.
   *
   * @param inner the distance between adjacent elements of a line
   * @param extent the number of elements of a line
   */
  private record Lines(int inner, int extent) {

    static Lines of(Tensor x, int axis) {
      int inner = 1;
      for (int i = axis + 1; i < x.rank(); i++) {
        inner *= (int) x.size(i);
      }
      return new Lines(inner, (int) x.size(axis));
    }

    int first(int line, int lineExtent) {
      return line / inner * lineExtent * inner + line % inner;
    }
  }

  private static OperatorResult argsort(OperatorCall call) {
    Tensor x = call.input("X");
    int axis = Shapes.axis(call.integer("axis", -1), x.rank());
    return outputs(sorted(x, axis, (int) x.size(axis), call.flag("descending", false)));
  }

  private static OperatorResult topK(OperatorCall call) {
    Tensor x = call.input("X");
    int k = (int) IntegerArguments.single(call, "k", 1, "K");
    return outputs(sorted(x, Shapes.axis(-1, x.rank()), k, /* descending= */ true));
  }

  private static OperatorResult topKV2(OperatorCall call) {
    Tensor x = call.input("X");
    int k = (int) IntegerArguments.single(call, "k", 1, "K");
    int axis = Shapes.axis(call.integer("axis", -1), x.rank());
    return outputs(sorted(x, axis, k, call.flag("largest", true)));
  }

  private static OperatorResult outputs(Sorted sorted) {
    return OperatorResult.builder()
        .put("Out", sorted.elements())
        .put("Indices", sorted.indices())
        .build();
  }

  /**
   * Elements in sorted order along an axis.
   *
   * @param indices their indices along the axis, INT64
   */
  public record Sorted(Tensor elements, Tensor indices) {}

  /**
   * Returns the first k elements in sorted order along an axis. O(n log n) for n elements.
   *
   * @throws OperatorException if there are fewer
   */
  public static Sorted sorted(Tensor x, int axis, int k, boolean descending) {
    Lines lines = Lines.of(x, axis);
    if (k < 0 || k > lines.extent()) {
      throw new OperatorException("the first " + k + " of " + lines.extent());
    }
    ImmutableLongArray shape = ImmutableLongArray.copyOf(Shapes.with(x.shape().toArray(), axis, k));
    Tensor out = Tensor.zeros(x.type(), shape);
    long[] indices = new long[out.length()];
    int count = lines.extent() == 0 ? 0 : x.length() / lines.extent();
    for (int line = 0; line < count; line++) {
      int first = lines.first(line, lines.extent());
      Integer[] order = order(x, first, lines, descending);
      for (int i = 0; i < k; i++) {
        int to = lines.first(line, k) + i * lines.inner();
        indices[to] = order[i];
        ElementWriter.copy(x, first + order[i] * lines.inner(), out, to, 1);
      }
    }
    return new Sorted(out, Tensor.of(shape, indices));
  }

  private static Integer[] order(Tensor x, int first, Lines lines, boolean descending) {
    Integer[] order = new Integer[lines.extent()];
    Arrays.setAll(order, i -> i);
    Comparator<Integer> ascending =
        x.type().isFloating()
            ? Comparator.comparingDouble(i -> x.getDouble(first + i * lines.inner()) + 0.0)
            : Comparator.comparingLong(i -> x.getLong(first + i * lines.inner()));
    // The sort is stable, so equal elements keep their order.
    Arrays.sort(order, descending ? ascending.reversed() : ascending);
    return order;
  }

  /** Computes the gradient: each element's gradient goes back to the element's index. */
  private static OperatorResult gradient(OperatorCall call) {
    Tensor x = call.input("X");
    Tensor indices = call.input("Indices");
    Tensor gradient = call.input("Out@GRAD");
    int axis = Shapes.axis(call.integer("axis", -1), x.rank());
    Lines lines = Lines.of(x, axis);
    int k = (int) indices.size(axis);
    ImmutableLongArray expected =
        ImmutableLongArray.copyOf(Shapes.with(x.shape().toArray(), axis, k));
    if (k == 0
        || k > lines.extent()
        || !gradient.shape().equals(expected)
        || !indices.shape().equals(expected)) {
      throw new OperatorException(
          "Out@GRAD "
              + gradient.shape()
              + " and Indices "
              + indices.shape()
              + " for X "
              + x.shape());
    }
    Tensor out = Tensor.zeros(x.type(), x.shape());
    for (int line = 0; line < indices.length() / k; line++) {
      for (int i = 0; i < k; i++) {
        int from = lines.first(line, k) + i * lines.inner();
        long row = indices.getLong(from);
        if (row < 0 || row >= lines.extent()) {
          throw new OperatorException("an index of " + row + " among " + lines.extent());
        }
        int to = lines.first(line, lines.extent()) + (int) row * lines.inner();
        ElementWriter.copy(gradient, from, out, to, 1);
      }
    }
    return OperatorResult.of("X@GRAD", out);
  }
}
