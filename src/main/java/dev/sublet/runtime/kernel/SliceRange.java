package dev.sublet.runtime.kernel;

/**
 * Which elements along an axis a slice takes.
 *
 * @param start the first
 * @param stride from one to the next; negative runs backwards
 * @param extent how many
 */
public record SliceRange(long start, long stride, long extent) {

  /**
   * The ranges along all axes of a {@code slice}, {@code strided_slice} or {@code set_value}; axes
   * that are not named are taken whole.
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
   * The same from limits; without strides each is 1.
   *
   * @param lowestEnd the end that stands for all ends in front of -1 if a slice runs backwards: 0,
   *     which leaves the first element out, or -1
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
    for (int i = 0; i < axes.length; i++) {
      int axis = Shapes.axis(axes[i], shape.length);
      long stride = strides.length == 0 ? 1 : strides[i];
      ranges[axis] = along(shape[axis], starts[i], ends[i], stride, lowestEnd);
    }
    return ranges;
  }

  /** Limits count from the end if they are negative, and are cut off where the tensor ends. */
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
    // Running backwards, -1 is in front of the first element and not the last.
    long before = end < -1 ? Math.max(end + extent, lowestEnd) : end;
    return new SliceRange(first, stride, Math.max(0, ceilDiv(first - before, -stride)));
  }

  private static long ceilDiv(long left, long right) {
    return -Math.floorDiv(-left, right);
  }
}
