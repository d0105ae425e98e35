package dev.sublet.runtime.micro.run;

import com.google.common.collect.ImmutableList;

/** Where the lanes of an access lie that has an index of any kind: each lane by itself. */
final class ScatterAddress {

  /**
   * One axis.
   *
   * @param index of all lanes
   * @param extent of the axis
   */
  record Axis(LongNode index, long extent) {}

  private final ImmutableList<Axis> axes;
  private final long[] offsets;
  private final String unchecked;

  /**
   * An address.
   *
   * @param offsets where the places are computed; the indices are computed elsewhere
   * @param unchecked if not empty, the access is said to be in bounds, and this is its text
   */
  ScatterAddress(ImmutableList<Axis> axes, long[] offsets, String unchecked) {
    this.axes = axes;
    this.offsets = offsets;
    this.unchecked = unchecked;
  }

  /** The place of each lane in the tensor's array, or -1 out of bounds. */
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
