package dev.sublet.runtime.kernel;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.program.TensorType;
import dev.sublet.runtime.micro.ir.IndexExpression;
import dev.sublet.runtime.tensor.Tensor;
import dev.sublet.runtime.tensor.TooLargeException;
import java.util.Arrays;
import java.util.stream.IntStream;

/** Helpers for shapes as arrays of known extents. All are O(axes). */
public final class Shapes {

  private Shapes() {}

  /** Throws {@link OperatorException} if an output would have more extents than a tensor can. */
  public static void checkRank(int rank) {
    if (rank > TensorType.MAX_RANK) {
      throw new OperatorException(
          rank + " extents of an output: a tensor has at most " + TensorType.MAX_RANK);
    }
  }

  /** Returns the extents as index expressions. */
  public static ImmutableList<IndexExpression> constants(long... shape) {
    return LoweringCall.extents(ImmutableLongArray.copyOf(shape));
  }

  /** Returns the number of elements of a shape. */
  public static long count(long... shape) {
    return count(shape, 0, shape.length);
  }

  /** Returns the number of elements along the axes from {@code begin} to {@code end}, exclusive. */
  public static long count(long[] shape, int begin, int end) {
    if (begin < 0 || end > shape.length) {
      throw new OperatorException("axes " + begin + " to " + end + " of " + Arrays.toString(shape));
    }
    long count = 1;
    for (int axis = begin; axis < end; axis++) {
      count *= shape[axis];
    }
    return count;
  }

  /**
   * Returns the number of elements of a shape as an array length.
   *
   * @throws OperatorException if an extent is negative
   * @throws TooLargeException if there are more elements than an array can have
   */
  public static int length(long... shape) {
    for (long extent : shape) {
      if (extent < 0) {
        throw new OperatorException("an extent of " + Arrays.toString(shape) + " is negative");
      }
    }
    return Tensor.length(ImmutableLongArray.copyOf(shape));
  }

  /** Returns the shapes joined, one after the other. */
  public static long[] concat(long[]... shapes) {
    int length = 0;
    for (long[] shape : shapes) {
      length += shape.length;
    }
    long[] all = new long[length];
    int next = 0;
    for (long[] shape : shapes) {
      System.arraycopy(shape, 0, all, next, shape.length);
      next += shape.length;
    }
    return all;
  }

  /** Returns the shape with another extent along an axis. */
  public static long[] with(long[] shape, int axis, long extent) {
    long[] changed = shape.clone();
    changed[axis] = extent;
    return changed;
  }

  /** Returns the shape without some axes. */
  public static long[] without(long[] shape, int... axes) {
    int[] sorted = axes.clone();
    Arrays.sort(sorted);
    return IntStream.range(0, shape.length)
        .filter(axis -> Arrays.binarySearch(sorted, axis) < 0)
        .mapToLong(axis -> shape[axis])
        .toArray();
  }

  /** Returns the numbers from {@code begin} to {@code end}, exclusive. */
  public static int[] range(int begin, int end) {
    return IntStream.range(begin, end).toArray();
  }

  /**
   * Checks that the shape of an input has {@code rank} axes, and returns it.
   *
   * @throws OperatorException if it has another number of axes
   */
  public static long[] ofRank(int rank, long[] shape, String slot) {
    if (shape.length != rank) {
      throw wrongRank(shape, slot, rank + " axes");
    }
    return shape;
  }

  /**
   * Checks that the shape of an input has at least {@code least} axes, and returns it.
   *
   * @throws OperatorException if it has fewer axes
   */
  public static long[] ofRankFrom(int least, long[] shape, String slot) {
    if (shape.length < least) {
      throw wrongRank(shape, slot, least == 1 ? "an axis" : least + " axes or more");
    }
    return shape;
  }

  private static OperatorException wrongRank(long[] shape, String slot, String axes) {
    return new OperatorException(
        slot + " has the shape " + Arrays.toString(shape) + ", but must have " + axes);
  }

  /**
   * Returns the indices of some axes; negative axes count from the end.
   *
   * @throws OperatorException if there is no such axis, or one is there twice
   */
  public static int[] axes(long[] named, int rank) {
    int[] axes = Arrays.stream(named).mapToInt(axis -> axis(axis, rank)).toArray();
    if (Arrays.stream(axes).distinct().count() < axes.length) {
      throw new OperatorException("an axis of " + Arrays.toString(named) + " is there twice");
    }
    return axes;
  }

  /**
   * Returns the index of an axis; a negative axis counts from the end.
   *
   * @throws OperatorException if there is no such axis
   */
  public static int axis(long axis, int rank) {
    long fromStart = axis < 0 ? axis + rank : axis;
    if (fromStart < 0 || fromStart >= rank) {
      throw new OperatorException("there is no axis " + axis + " of " + rank);
    }
    return (int) fromStart;
  }
}
