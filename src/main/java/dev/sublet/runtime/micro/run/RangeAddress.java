package dev.sublet.runtime.micro.run;

import com.google.common.collect.ImmutableList;

/**
 * The positions of the lanes of an access with affine indices: the lanes in bounds are a range, and
 * their elements are a stride apart.
 */
final class RangeAddress extends LaneRange {

  /**
   * An axis along which lanes may be out of bounds.
   *
   * @param index the index of the first lane
   * @param step the difference between adjacent lanes
   * @param extent the extent of the axis
   */
  record Bound(LinearForm index, long step, long extent) {}

  private final LinearForm flat;
  private final long step;
  private final ImmutableList<Bound> bounds;
  private final String unchecked;

  /** The position of lane {@link #from} in the tensor's array; 0 if no lane is in bounds. */
  int first;

  /**
   * Creates an address.
   *
   * @param flat the position of lane 0
   * @param step the difference between adjacent lanes
   * @param bounds the axes to check
   * @param unchecked the text of the access if the program declares the access to be in bounds and
   *     this is not known; else empty
   */
  RangeAddress(LinearForm flat, long step, ImmutableList<Bound> bounds, String unchecked) {
    this.flat = flat;
    this.step = step;
    this.bounds = bounds;
    this.unchecked = unchecked;
  }

  /**
   * Returns the distance between the elements of adjacent lanes; it has no meaning if at most one
   * lane is in bounds.
   */
  int stride() {
    return (int) step;
  }

  /** Computes the fields for the current iteration and a number of lanes. */
  void resolve(int lanes) {
    all(lanes);
    for (Bound bound : bounds) {
      clip(bound.index.value(), bound.step, bound.extent);
    }
    if (to <= from) {
      from = 0;
      to = 0;
    }
    first = from < to ? (int) (flat.value() + from * step) : 0;
    if (!unchecked.isEmpty() && to - from < lanes) {
      throw new IllegalStateException(unchecked + " is out of bounds, although it is not checked");
    }
  }
}
