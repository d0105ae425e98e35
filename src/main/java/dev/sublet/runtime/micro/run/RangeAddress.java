package dev.sublet.runtime.micro.run;

import com.google.common.collect.ImmutableList;

/**
 * Where the lanes of an access lie whose indices are affine: the lanes in bounds are a range, and
 * their elements are a stride apart.
 */
final class RangeAddress extends LaneRange {

  /**
   * An axis that lanes may leave.
   *
   * @param index of the first lane
   * @param step from lane to lane
   * @param extent of the axis
   */
  record Bound(LinearForm index, long step, long extent) {}

  private final LinearForm flat;
  private final long step;
  private final ImmutableList<Bound> bounds;
  private final String unchecked;

  /** The place of lane {@link #from} in the tensor's array; 0 if no lane is in bounds. */
  int first;

  /**
   * An address.
   *
   * @param flat the place of lane 0
   * @param step from lane to lane
   * @param bounds the axes to look at
   * @param unchecked if not empty, the access is said to be in bounds, and this is its text
   */
  RangeAddress(LinearForm flat, long step, ImmutableList<Bound> bounds, String unchecked) {
    this.flat = flat;
    this.step = step;
    this.bounds = bounds;
    this.unchecked = unchecked;
  }

  /** Elements from lane to lane; of no meaning if at most one lane is in bounds. */
  int stride() {
    return (int) step;
  }

  /** Computes the fields for this iteration and a number of lanes. */
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
