package dev.sublet.runtime.kernel.onnx;

import dev.sublet.runtime.kernel.Formula;
import dev.sublet.runtime.kernel.Indices;
import dev.sublet.runtime.kernel.LoweringCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.Shapes;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.micro.op.MicroValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The broadcast of tensors as in NumPy: the last axes are aligned, and extents of 1 repeat.
 *
 * <pre>{@code
 * [2, 1, 4] and [3, 1] → [2, 3, 4]
 * }</pre>
 */
public final class NumpyBroadcast {

  private NumpyBroadcast() {}

  /**
   * Returns the common shape of tensors.
   *
   * @throws OperatorException if extents that are aligned differ and none of them is 1
   */
  public static long[] shape(long[]... shapes) {
    int rank = Arrays.stream(shapes).mapToInt(shape -> shape.length).max().orElse(0);
    long[] common = new long[rank];
    Arrays.fill(common, 1);
    for (long[] shape : shapes) {
      int begin = rank - shape.length;
      for (int axis = 0; axis < shape.length; axis++) {
        long extent = shape[axis];
        if (common[begin + axis] == 1) {
          common[begin + axis] = extent;
        } else if (extent != 1 && extent != common[begin + axis]) {
          throw new OperatorException("shapes " + Arrays.deepToString(shapes) + " do not fit");
        }
      }
    }
    return common;
  }

  /**
   * Returns a tensor, repeated to a shape with which its own shape is broadcast.
   *
   * @throws OperatorException if the broadcast of both shapes is another shape
   */
  public static MicroValue stretch(Formula f, MicroValue x, long[] shape) {
    long[] from = f.shape(x);
    if (!Arrays.equals(shape(from, shape), shape)) {
      throw new OperatorException(
          "the shape " + Arrays.toString(from) + " cannot become " + Arrays.toString(shape));
    }
    if (Arrays.equals(from, shape)) {
      return x;
    }
    int begin = shape.length - from.length;
    IndexExpression[] at = new IndexExpression[from.length];
    for (int axis = 0; axis < from.length; axis++) {
      at[axis] =
          from[axis] == 1 && shape[begin + axis] != 1
              ? Indices.number(0)
              : Indices.loop(begin + axis);
    }
    return f.reindex(x, shape, at);
  }

  /** Returns the position in a tensor for each element of its broadcast. O(elements × axes). */
  public static int[] places(long[] from, long[] shape) {
    int[] places = new int[Shapes.length(shape)];
    int begin = shape.length - from.length;
    long inner = 1; // elements of the broadcast per step along the axis
    int stride = 1;
    for (int axis = shape.length - 1; axis >= begin; axis--) {
      long extent = from[axis - begin];
      for (int i = 0; i < places.length && extent != 1; i++) {
        places[i] += (int) (i / inner % shape[axis]) * stride;
      }
      inner *= shape[axis];
      stride *= (int) extent;
    }
    return places;
  }

  /**
   * Returns all inputs of a call that has only numbered slots, repeated to their common shape.
   *
   * @throws OperatorException if there are fewer than {@code least}
   */
  public static List<MicroValue> inputs(Formula f, LoweringCall lowering, int least) {
    List<MicroValue> inputs = new ArrayList<>();
    for (int i = 0; i < least || lowering.has(Integer.toString(i)); i++) {
      inputs.add(lowering.in(Integer.toString(i)));
    }
    long[] shape = shape(inputs.stream().map(f::shape).toArray(long[][]::new));
    inputs.replaceAll(input -> stretch(f, input, shape));
    return inputs;
  }
}
