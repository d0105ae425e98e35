package dev.sublet.runtime.micro.run;

import static java.util.Objects.requireNonNull;

import dev.sublet.runtime.micro.run.bind.Affine;
import dev.sublet.runtime.micro.run.bind.BoundNest;
import dev.sublet.runtime.micro.run.bind.LoopGroup;
import dev.sublet.runtime.micro.run.bind.ProductForm;
import dev.sublet.runtime.micro.run.bind.VectorizationPlan;
import java.util.Arrays;

/**
 * A copy of elements of the factor that depends on the lanes. The panel has a row for each of some
 * points, in which lane k is element k, whatever the loops' strides. Elements out of bounds have
 * the factor's value for them. So sums are loops over plain arrays.
 */
final class Panel {

  /** The greatest number of points: this many rows fit into the first-level cache. */
  static final int POINTS = 32;

  private final LoopGroup lanes;
  private final Buffer buffer;
  private final float outside;
  private final float[][] rows = new float[POINTS][VectorizationPlan.LANES];

  /** The lanes' part of an element's position; the next field is the part of the other loops. */
  private final Affine placeOfLane;

  private final Affine placeOfPoint;
  private final int stride;
  private final Axis[] axes;

  /**
   * The first lane of each run, then the end of the last run. Within a run only the innermost lane
   * loop advances.
   */
  private final int[] runs = new int[VectorizationPlan.LANES + 1];

  private final long[] places = new long[VectorizationPlan.LANES];
  private int runCount;
  private final LaneRange inside = new LaneRange();

  /** An axis along which lanes may be out of bounds. */
  private static final class Axis {

    final Affine ofLane;
    final Affine ofPoint;
    final long step;
    final long extent;

    /** The lanes' part of the index, by run. */
    final long[] indices = new long[VectorizationPlan.LANES];

    /** The other loops' part of the index, at the current point. */
    long index;

    Axis(LoopGroup lanes, Affine affine, long extent) {
      this.ofLane = lanes.part(affine);
      this.ofPoint = lanes.without(affine);
      this.step = affine.coefficient(lanes.innermost());
      this.extent = extent;
    }
  }

  /** Creates the panel of a form. */
  Panel(BoundNest nest, ProductForm form, Buffer buffer) {
    this.lanes = form.lanes();
    this.buffer = buffer;
    this.outside = form.panel().outside();
    Affine place = form.panel().place(nest);
    this.placeOfLane = lanes.part(place);
    this.placeOfPoint = lanes.without(place);
    this.stride = (int) place.coefficient(lanes.innermost());
    this.axes =
        form.panel().checkedAxes(nest).stream()
            .map(axis -> new Axis(lanes, requireNonNull(axis.affine()), axis.extent()))
            .toArray(Axis[]::new);
  }

  /** Begins a strip of lanes, and changes the indices of the lane loops. O(runs). */
  void begin(long firstLane, int count, long[] index) {
    runCount = 0;
    int lane = 0;
    while (lane < count) {
      lanes.set(firstLane + lane, index);
      runs[runCount] = lane;
      places[runCount] = placeOfLane.at(index);
      for (Axis axis : axes) {
        axis.indices[runCount] = axis.ofLane.at(index);
      }
      runCount++;
      lane += (int) Math.min(count - lane, lanes.left(index));
    }
    runs[runCount] = count;
  }

  /** Fills a row with the strip's elements at a point. O(lanes). */
  void load(int row, long[] index) {
    float[] values = rows[row];
    long place = placeOfPoint.at(index);
    for (Axis axis : axes) {
      axis.index = axis.ofPoint.at(index);
    }
    for (int run = 0; run < runCount; run++) {
      int first = runs[run];
      int end = runs[run + 1];
      inside.all(end - first);
      for (Axis axis : axes) {
        inside.clip(axis.index + axis.indices[run], axis.step, axis.extent);
      }
      int from = first + inside.from;
      int to = first + inside.to;
      if (from < to) {
        int source = (int) (place + places[run] + (long) inside.from * stride);
        FloatLanes.load(buffer.floats, source, stride, values, from, to);
      }
      if (to - from < end - first) {
        Arrays.fill(values, first, from, outside);
        Arrays.fill(values, to, end, outside);
      }
    }
  }

  /**
   * Adds to each lane's sum the products of the first {@code count} rows and one factor per row, in
   * order.
   */
  void addProducts(float[] sums, float[] factors, int count, int laneCount) {
    int row = 0;
    for (; row + FloatLanes.MANY <= count; row += FloatLanes.MANY) {
      FloatLanes.addManyProducts(sums, rows, factors, row, laneCount);
    }
    for (; row < count; row++) {
      FloatLanes.addProducts(sums, rows[row], factors[row], laneCount);
    }
  }
}
