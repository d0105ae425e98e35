package dev.sublet.runtime.kernel.shape;

import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.kernel.ElementWriter;
import dev.sublet.runtime.kernel.KernelRegistry;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.OperatorResult;
import dev.sublet.runtime.tensor.Tensor;

/**
 * Operators that write or add elements at the indices in another tensor. Micro ops write every
 * element once, so these operators have Java code of their own. They process positions in the order
 * of the indices.
 */
public final class ScatterKernels {

  private ScatterKernels() {}

  /** Registers the kernels. */
  public static void register(KernelRegistry.Builder kernels) {
    SetValueKernel.register(kernels);
    kernels.kernel("scatter", ScatterKernels::scatter);
    kernels.kernel("scatter_grad", ScatterKernels::scatterGradient);
    kernels.kernel("scatter_nd_add", ScatterKernels::scatterNdAdd);
    kernels.kernel("scatter_nd_add_grad", ScatterKernels::scatterNdAddGradient);
  }

  /** Replaces rows of X by updates; without {@code overwrite}, by the sum of all their updates. */
  private static OperatorResult scatter(OperatorCall call) {
    Tensor out = ElementWriter.duplicate(call.input("X"));
    Tensor ids = call.input("Ids");
    Tensor updates = call.input("Updates");
    int width = out.size(0) == 0 ? 0 : (int) (out.length() / out.size(0));
    boolean overwrites = call.flag("overwrite", true);
    if (!overwrites) {
      Tensor zeros = Tensor.zeros(out.type(), ImmutableLongArray.of(width));
      for (int i = 0; i < ids.length(); i++) {
        ElementWriter.copy(zeros, 0, out, row(ids.getLong(i), out) * width, width);
      }
    }
    for (int i = 0; i < ids.length(); i++) {
      int row = row(ids.getLong(i), out);
      if (overwrites) {
        ElementWriter.copy(updates, i * width, out, row * width, width);
      } else {
        add(updates, i * width, out, row * width, width);
      }
    }
    return OperatorResult.of("Out", out);
  }

  /**
   * Computes the gradients. Overwritten rows of X have none; their gradient goes to each of their
   * updates.
   */
  private static OperatorResult scatterGradient(OperatorCall call) {
    Tensor gradient = call.input("Out@GRAD");
    Tensor ids = call.input("Ids");
    Tensor ofX = ElementWriter.duplicate(gradient);
    Tensor ofUpdates = Tensor.zeros(gradient.type(), call.shape("Updates"));
    int width = gradient.size(0) == 0 ? 0 : (int) (gradient.length() / gradient.size(0));
    Tensor zeros = Tensor.zeros(gradient.type(), ImmutableLongArray.of(width));
    for (int i = 0; i < ids.length(); i++) {
      int row = row(ids.getLong(i), gradient);
      ElementWriter.copy(zeros, 0, ofX, row * width, width);
      ElementWriter.copy(gradient, row * width, ofUpdates, i * width, width);
    }
    return gradients(call, ofX, ofUpdates);
  }

  private static OperatorResult gradients(OperatorCall call, Tensor ofX, Tensor ofUpdates) {
    OperatorResult.Builder result = OperatorResult.builder();
    if (call.wants("X@GRAD")) {
      result.put("X@GRAD", ofX);
    }
    if (call.wants("Updates@GRAD")) {
      result.put("Updates@GRAD", ofUpdates);
    }
    return result.build();
  }

  private static int row(long id, Tensor tensor) {
    if (id < 0 || id >= tensor.size(0)) {
      throw new OperatorException("row " + id + " of " + tensor.size(0));
    }
    return (int) id;
  }

  private static void add(Tensor from, int fromIndex, Tensor to, int toIndex, int count) {
    ElementWriter.check(from, fromIndex, to, toIndex, count);
    for (int i = 0; i < count; i++) {
      if (to.type().isFloating()) {
        double sum = to.getDouble(toIndex + i) + from.getDouble(fromIndex + i);
        ElementWriter.put(to, toIndex + i, sum);
      } else {
        long sum = to.getLong(toIndex + i) + from.getLong(fromIndex + i);
        ElementWriter.put(to, toIndex + i, sum);
      }
    }
  }

  /**
   * Adds updates to X. The last axis of the index contains the indices along the first axes of X.
   */
  private static OperatorResult scatterNdAdd(OperatorCall call) {
    Tensor out = ElementWriter.duplicate(call.input("X"));
    Tensor index = call.input("Index");
    Tensor updates = call.input("Updates");
    int width = innerElements(index, out);
    int[] places = places(index, out, updates.length() / Math.max(width, 1));
    for (int row = 0; row < places.length; row++) {
      add(updates, row * width, out, places[row] * width, width);
    }
    return OperatorResult.of("Out", out);
  }

  private static OperatorResult scatterNdAddGradient(OperatorCall call) {
    Tensor gradient = call.input("Out@GRAD");
    Tensor index = call.input("Index");
    Tensor ofUpdates = Tensor.zeros(gradient.type(), call.shape("Updates"));
    int width = innerElements(index, gradient);
    int[] places = places(index, gradient, ofUpdates.length() / Math.max(width, 1));
    for (int row = 0; row < places.length; row++) {
      ElementWriter.copy(gradient, places[row] * width, ofUpdates, row * width, width);
    }
    return gradients(call, ElementWriter.duplicate(gradient), ofUpdates);
  }

  /** Returns the number of elements of the part that one row of an index denotes. */
  private static int innerElements(Tensor index, Tensor tensor) {
    int width = 1;
    for (int axis = (int) index.size(index.rank() - 1); axis < tensor.rank(); axis++) {
      width *= (int) tensor.size(axis);
    }
    return width;
  }

  /**
   * Returns the positions that the rows of an index denote; an index without columns denotes the
   * whole tensor.
   */
  private static int[] places(Tensor index, Tensor tensor, int rows) {
    int depth = (int) index.size(index.rank() - 1);
    if (index.length() < (long) rows * depth) {
      throw new OperatorException("index of shape " + index.shape() + " for " + rows + " updates");
    }
    int[] places = new int[rows];
    for (int row = 0; row < rows; row++) {
      long place = 0;
      for (int axis = 0; axis < depth; axis++) {
        long i = index.getLong(row * depth + axis);
        if (i < 0 || i >= tensor.size(axis)) {
          throw new OperatorException(
              "index " + i + " along axis " + axis + " of " + tensor.shape());
        }
        place = place * tensor.size(axis) + i;
      }
      places[row] = (int) place;
    }
    return places;
  }
}
