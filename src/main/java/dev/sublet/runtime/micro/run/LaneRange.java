package dev.sublet.runtime.micro.run;

/**
 * The lanes of a strip whose indices are in bounds: a range that one axis after the other clips.
 */
class LaneRange {

  /** Farther out an index stays out of bounds in every lane, even if it wraps around. */
  private static final long FAR = 1L << 62;

  /** The first lane in bounds. */
  int from;

  /** The lane behind the last one in bounds; {@link #from} if none is. */
  int to;

  /** Begins with all lanes. */
  final void all(int lanes) {
    from = 0;
    to = lanes;
  }

  /**
   * Leaves out the lanes that are out of bounds in an axis. O(1).
   *
   * @param index of lane 0
   * @param step from lane to lane
   * @param extent of the axis
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
