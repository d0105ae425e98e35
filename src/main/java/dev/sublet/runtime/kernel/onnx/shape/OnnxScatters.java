package dev.sublet.runtime.kernel.onnx.shape;

import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.runtime.kernel.ElementWriter;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.OperatorResult;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.kernel.onnx.OnnxFamily;
import dev.sublet.runtime.tensor.ElementType;
import dev.sublet.runtime.tensor.Tensor;

/**
 * Operators that write elements, or combine them with the elements that are there, at the indices
 * in another tensor. Micro ops write every element once, so these operators have Java code of their
 * own. Updates are applied in their row-major order. O(data + updates × rank).
 */
public final class OnnxScatters {

  private OnnxScatters() {}

  /** Registers the kernels. */
  public static void register(OnnxFamily family) {
    family.kernel("Scatter", OnnxScatters::scatterElements);
    family.kernel("ScatterElements", OnnxScatters::scatterElements);
    family.kernel("ScatterND", OnnxScatters::scatterNd);
  }

  /** Each update goes to its own place, except along one axis, for which there is an index. */
  private static OperatorResult scatterElements(OperatorCall call) {
    Tensor out = ElementWriter.duplicate(call.input("0"));
    Tensor indices = call.input("1");
    Tensor updates = call.input("2");
    int axis = Shapes.axis(call.integer("axis", 0), out.rank());
    if (indices.rank() != out.rank() || !indices.shape().equals(updates.shape())) {
      throw misfit(indices, updates, out);
    }
    for (int i = 0; i < out.rank(); i++) {
      if (i != axis && indices.size(i) > out.size(i)) {
        throw misfit(indices, updates, out);
      }
    }
    String reduction = call.text("reduction", "none");
    for (int i = 0; i < updates.length(); i++) {
      int place = 0;
      int stride = 1;
      int rest = i;
      for (int k = out.rank() - 1; k >= 0; k--) {
        int own = rest % (int) indices.size(k);
        place += stride * (k == axis ? row(indices.getLong(i), out.size(k)) : own);
        rest /= (int) indices.size(k);
        stride *= (int) out.size(k);
      }
      combine(reduction, updates, i, out, place);
    }
    return OperatorResult.of("0", out);
  }

  private static OperatorException misfit(Tensor indices, Tensor updates, Tensor out) {
    return new OperatorException(
        "indices "
            + indices.shape()
            + " and updates "
            + updates.shape()
            + " for a tensor "
            + out.shape());
  }

  /** The last axis of the indices contains indices along the first axes of the data. */
  private static OperatorResult scatterNd(OperatorCall call) {
    Tensor out = ElementWriter.duplicate(call.input("0"));
    Tensor indices = call.input("1");
    Tensor updates = call.input("2");
    int depth = (int) call.shapeFrom("1", 1).get(indices.rank() - 1);
    if (depth > out.rank() || !updates.shape().equals(updatesShape(indices, out, depth))) {
      throw misfit(indices, updates, out);
    }
    int width = (int) Shapes.count(out.shape().toArray(), depth, out.rank());
    int rows = width == 0 ? 0 : updates.length() / width;
    String reduction = call.text("reduction", "none");
    for (int row = 0; row < rows; row++) {
      int place = 0;
      for (int axis = 0; axis < depth; axis++) {
        long index = indices.getLong(row * depth + axis);
        place = place * (int) out.size(axis) + row(index, out.size(axis));
      }
      for (int i = 0; i < width; i++) {
        combine(reduction, updates, row * width + i, out, place * width + i);
      }
    }
    return OperatorResult.of("0", out);
  }

  private static ImmutableLongArray updatesShape(Tensor indices, Tensor out, int depth) {
    return ImmutableLongArray.builder()
        .addAll(indices.shape().subArray(0, indices.rank() - 1))
        .addAll(out.shape().subArray(depth, out.rank()))
        .build();
  }

  private static int row(long index, long extent) {
    if (index < -extent || index >= extent) {
      throw new OperatorException("index " + index + " outside of an axis of " + extent);
    }
    return (int) (index < 0 ? index + extent : index);
  }

  private static void combine(String reduction, Tensor updates, int from, Tensor out, int to) {
    if (reduction.equals("none")) {
      ElementWriter.copy(updates, from, out, to, 1);
    } else if (out.type().isFloating()) {
      double old = out.getDouble(to);
      ElementWriter.put(out, to, combined(reduction, old, updates.getDouble(from)));
    } else {
      long old = out.getLong(to);
      ElementWriter.put(out, to, combined(reduction, old, updates.getLong(from), out.type()));
    }
  }

  private static double combined(String reduction, double old, double update) {
    return switch (reduction) {
      case "add" -> old + update;
      case "mul" -> old * update;
      case "max" -> Math.max(old, update);
      case "min" -> Math.min(old, update);
      default -> throw new OperatorException("a reduction '" + reduction + "'");
    };
  }

  private static long combined(String reduction, long old, long update, ElementType type) {
    boolean isOldLess =
        type == ElementType.UINT64 ? Long.compareUnsigned(old, update) < 0 : old < update;
    return switch (reduction) {
      case "add" -> old + update;
      case "mul" -> old * update;
      case "max" -> isOldLess ? update : old;
      case "min" -> isOldLess ? old : update;
      default -> throw new OperatorException("a reduction '" + reduction + "'");
    };
  }
}
