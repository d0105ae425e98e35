package dev.sublet.runtime.kernel.shape;

import dev.sublet.runtime.kernel.IntegerArguments;
import dev.sublet.runtime.kernel.OperatorCall;
import dev.sublet.runtime.kernel.OperatorException;
import dev.sublet.runtime.kernel.Shapes;

/**
 * The elements that a slice selects along one axis.
 *
 * @param start the index of the first element
 * @param stride the distance from one element to the next; negative if the slice runs backwards
 * @param extent the number of elements
 */
record SliceRange(long start, long stride, long extent) {

  /**
   * Returns the ranges along all axes of a {@code slice}, {@code strided_slice} or {@code
   * set_value}. Axes that the operator does not name are selected whole.
   *
   * @param strided whether the operator has strides
   */
  public static SliceRange[] of(OperatorCall call, long[] shape, boolean strided) {
    return of(
        IntegerArguments.attribute(call, "axes"),
        shape,
        IntegerArguments.of(call, "starts", "StartsTensor", "StartsTensorList"),
        IntegerArguments.of(call, "ends", "EndsTensor", "EndsTensorList"),
        strided
            ? IntegerArguments.of(call, "strides", "StridesTensor", "StridesTensorList")
            : new long[0],
        /* lowestEnd= */ 0);
  }

  /**
   * Returns the ranges for given limits. Without {@code strides} each stride is 1. Paddle does not
   * check whether an axis is there twice, and then takes its limits from different places.
   *
   * @param lowestEnd the least end of a slice that runs backwards, after a negative end other than
   *     -1 was counted from the end: 0, which excludes the first element, or -1
   */
  public static SliceRange[] of(
      long[] axes, long[] shape, long[] starts, long[] ends, long[] strides, long lowestEnd) {
    SliceRange[] ranges = new SliceRange[shape.length];
    for (int axis = 0; axis < shape.length; axis++) {
      ranges[axis] = new SliceRange(0, 1, shape[axis]);
    }
    if (starts.length != axes.length || ends.length != axes.length) {
      throw new OperatorException(
          axes.length + " axes, " + starts.length + " starts, " + ends.length + " ends");
    }
    if (strides.length > 0) {
      IntegerArguments.exactly(axes.length, strides, "strides");
    }
    int[] sliced = Shapes.axes(axes, shape.length);
    for (int i = 0; i < sliced.length; i++) {
      int axis = sliced[i];
      long stride = strides.length == 0 ? 1 : strides[i];
      ranges[axis] = along(shape[axis], starts[i], ends[i], stride, lowestEnd);
    }
    return ranges;
  }

  /**
   * Returns the range along one axis. Negative limits count from the end; limits outside the tensor
   * are moved to its border.
   */
  private static SliceRange along(long extent, long start, long end, long stride, long lowestEnd) {
    if (stride == 0) {
      throw new OperatorException("a stride of 0");
    }
    long first = start < 0 ? start + extent : start;
    if (stride > 0) {
      first = Math.max(first, 0);
      long behind = Math.min(end < 0 ? end + extent : end, extent);
      return new SliceRange(first, stride, Math.max(0, ceilDiv(behind - first, stride)));
    }
    first = Math.max(0, Math.min(first, extent - 1));
    // If the slice runs backwards, an end of -1 is before the first element, not the last element.
    long before = end < -1 ? Math.max(end + extent, lowestEnd) : end;
    return new SliceRange(first, stride, Math.max(0, ceilDiv(first - before, -stride)));
  }

  private static long ceilDiv(long left, long right) {
    return -Math.floorDiv(-left, right);
  }
}
