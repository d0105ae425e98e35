package dev.sublet.runtime.micro.run;

/**
 * The range of a strip's lanes whose indices are in bounds. The axes clip the range one after the
 * other.
 */
class LaneRange {

  /** From this distance on, an index is out of bounds in every lane, even if it wraps around. */
  private static final long FAR = 1L << 62;

  /** The first lane in bounds. */
  int from;

  /** The lane after the last lane in bounds; equal to {@link #from} if no lane is in bounds. */
  int to;

  /** Sets the range to all lanes. */
  final void all(int lanes) {
    from = 0;
    to = lanes;
  }

  /**
   * Removes the lanes that are out of bounds along an axis. O(1).
   *
   * @param index the index of lane 0
   * @param step the difference between adjacent lanes
   * @param extent the extent of the axis
   */
  final void clip(long index, long step, long extent) {
    long low;
    long high;
    if (index <= -FAR || index >= FAR) {
      low = 0;
      high = 0;
    } else if (step == 1) {
      low = -index;
      high = extent - index;
    } else if (step == 0) {
      low = 0;
      high = index >= 0 && index < extent ? to : 0;
    } else if (step > 0) {
      low = -Math.floorDiv(index, step);
      high = -Math.floorDiv(index - extent, step);
    } else {
      low = -Math.floorDiv(extent - 1 - index, -step);
      high = Math.floorDiv(index, -step) + 1;
    }
    from = (int) Math.min(to, Math.max(from, low));
    to = (int) Math.max(from, Math.min(to, high));
  }
}
