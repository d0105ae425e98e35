package dev.sublet.runtime.micro.run;

import com.google.common.collect.ImmutableList;

/**
 * The positions of the lanes of an access with indices of any kind, computed for each lane
 * separately.
 */
final class ScatterAddress {

  /**
   * One axis.
   *
   * @param index the indices of all lanes
   * @param extent the extent of the axis
   */
  record Axis(LongNode index, long extent) {}

  private final ImmutableList<Axis> axes;
  private final long[] offsets;
  private final String unchecked;

  /**
   * Creates an address.
   *
   * @param offsets the array for the positions; the indices are computed in other arrays
   * @param unchecked the text of the access if the program declares the access to be in bounds;
   *     else empty
   */
  ScatterAddress(ImmutableList<Axis> axes, long[] offsets, String unchecked) {
    this.axes = axes;
    this.offsets = offsets;
    this.unchecked = unchecked;
  }

  /** Returns the position of each lane in the tensor's array; -1 if the lane is out of bounds. */
  long[] resolve(int lanes) {
    long[] offsets = this.offsets;
    for (int lane = 0; lane < lanes; lane++) {
      offsets[lane] = 0;
    }
    for (Axis axis : axes) {
      long extent = axis.extent;
      long[] index = axis.index.evaluate(lanes);
      for (int lane = 0; lane < lanes; lane++) {
        boolean inside = offsets[lane] >= 0 && index[lane] >= 0 && index[lane] < extent;
        offsets[lane] = inside ? offsets[lane] * extent + index[lane] : -1;
      }
    }
    if (!unchecked.isEmpty()) {
      checkInside(lanes);
    }
    return offsets;
  }

  private void checkInside(int lanes) {
    for (int lane = 0; lane < lanes; lane++) {
      if (offsets[lane] < 0) {
        throw new IllegalStateException(
            unchecked + " is out of bounds, although it is not checked");
      }
    }
  }
}
