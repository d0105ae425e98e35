package dev.sublet.runtime.kernel.onnx;

import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.micro.op.MicroValue;
import dev.sublet.runtime.tensor.Tensor;
import java.util.Arrays;

/** Operands that repeat along axes of a larger tensor. All methods are O(axes). */
public final class OnnxOperands {

  private OnnxOperands() {}

  /**
   * Returns a vector with one element per index of an axis, or a single number for all, in the
   * whole shape.
   */
  public static MicroValue along(Formula f, MicroValue x, long[] shape, int axis) {
    long count = Shapes.count(f.shape(x));
    if (count != 1 && (f.rank(x) != 1 || count != shape[axis])) {
      throw new OperatorException(
          Arrays.toString(f.shape(x))
              + " where one number per index of "
              + shape[axis]
              + " is due");
    }
    return count == 1 ? single(f, x) : f.along(x, shape, axis);
  }

  /**
   * Refuses indices outside of an axis. O(indices).
   *
   * @throws OperatorException if an index is negative or not below the extent
   */
  public static void requireInside(Tensor index, long extent) {
    for (int i = 0; i < index.length(); i++) {
      long place = index.getLong(i);
      if (place < 0 || place >= extent) {
        throw new OperatorException("index " + place + " outside of an axis of " + extent);
      }
    }
  }

  /** Returns a tensor with a single element as a tensor without axes, which fits everywhere. */
  public static MicroValue single(Formula f, MicroValue x) {
    if (Shapes.count(f.shape(x)) != 1) {
      throw new OperatorException(Arrays.toString(f.shape(x)) + " where one number is due");
    }
    return f.reshape(x);
  }
}
