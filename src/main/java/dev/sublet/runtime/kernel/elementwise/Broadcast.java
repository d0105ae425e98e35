package dev.sublet.runtime.kernel.elementwise;

import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.Indices;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.op.MicroValue;
import java.util.Arrays;

/**
 * The broadcast of two tensors as in Paddle's {@code elementwise_*} operators. The axes of the
 * tensor with fewer axes are aligned with the axes of the other tensor from {@code axis} on, or at
 * the end if {@code axis} is -1. Extents of 1 repeat.
 */
public final class Broadcast {

  private final Formula f;
  private final long[] shape;
  private final int axis;

  private Broadcast(Formula f, long[] shape, int axis) {
    this.f = f;
    this.shape = shape;
    this.axis = axis;
  }

  /**
   * Returns the broadcast of two tensors.
   *
   * @throws OperatorException if their shapes do not fit
   */
  public static Broadcast of(Formula f, MicroValue x, MicroValue y, long axis) {
    int ranks = f.rank(x) - f.rank(y);
    int begin = ranks == 0 ? 0 : axis < 0 ? Math.abs(ranks) : (int) axis;
    long[] larger = f.shape(ranks >= 0 ? x : y);
    long[] smaller = f.shape(ranks >= 0 ? y : x);
    long[] shape = larger.clone();
    for (int i = 0; i < smaller.length; i++) {
      if (begin + i >= shape.length ? smaller[i] != 1 : !meets(shape, begin + i, smaller[i])) {
        throw new OperatorException(
            "shapes "
                + Arrays.toString(larger)
                + " and "
                + Arrays.toString(smaller)
                + " at axis "
                + begin);
      }
    }
    return new Broadcast(f, shape, begin);
  }

  private static boolean meets(long[] shape, int axis, long extent) {
    boolean meets = shape[axis] == extent || shape[axis] == 1 || extent == 1;
    shape[axis] = shape[axis] == 1 ? extent : shape[axis];
    return meets;
  }

  /** Returns the shape of the result. */
  long[] shape() {
    return shape;
  }

  /** Returns one of the tensors, repeated to the shape of the result. */
  public MicroValue stretched(MicroValue x) {
    long[] from = f.shape(x);
    if (Arrays.equals(from, shape)) {
      return x;
    }
    int begin = from.length == shape.length ? 0 : axis;
    IndexExpression[] at = new IndexExpression[from.length];
    for (int i = 0; i < from.length; i++) {
      at[i] = from[i] == 1 ? Indices.number(0) : Indices.loop(begin + i);
    }
    return f.reindex(x, shape, at);
  }
}
