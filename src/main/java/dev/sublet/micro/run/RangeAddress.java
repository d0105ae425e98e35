package dev.sublet.micro.run;

import com.google.common.collect.ImmutableList;

/**
 * Where the lanes of an access lie whose indices are affine: the lanes in bounds are a range, and
 * their elements are a stride apart.
 */
final class RangeAddress {

  /**
   * An axis that lanes may leave.
   *
   * @param index of the first lane
   * @param step from lane to lane
   * @param extent of the axis
   */
  record Bound(LinearForm index, long step, long extent) {}

  /** Farther out an index stays out of bounds in every lane, even if it wraps around. */
  private static final long FAR = 1L << 62;

  private final LinearForm flat;
  private final long step;
  private final ImmutableList<Bound> bounds;
  private final String unchecked;

  /** The first lane in bounds. */
  int from;

  /** The lane behind the last one in bounds. */
  int to;

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
    from = 0;
    to = lanes;
    for (Bound bound : bounds) {
      clip(bound);
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

  private void clip(Bound bound) {
    long index = bound.index.value();
    long step = bound.step;
    long low;
    long high;
    if (index <= -FAR || index >= FAR) {
      low = 0;
      high = 0;
    } else if (step == 1) {
      low = -index;
      high = bound.extent - index;
    } else if (step == 0) {
      low = 0;
      high = index >= 0 && index < bound.extent ? to : 0;
    } else if (step > 0) {
      low = -Math.floorDiv(index, step);
      high = -Math.floorDiv(index - bound.extent, step);
    } else {
      low = -Math.floorDiv(bound.extent - 1 - index, -step);
      high = Math.floorDiv(index, -step) + 1;
    }
    from = (int) Math.min(to, Math.max(from, low));
    to = (int) Math.max(from, Math.min(to, high));
  }
}
