package dev.sublet.runtime.micro.run;

import static java.util.Objects.requireNonNull;

import dev.sublet.runtime.micro.run.bind.Affine;
import dev.sublet.runtime.micro.run.bind.BoundNest;
import dev.sublet.runtime.micro.run.bind.LoopGroup;
import dev.sublet.runtime.micro.run.bind.ProductForm;
import dev.sublet.runtime.micro.run.bind.VectorizationPlan;
import java.util.Arrays;

/**
 * Elements of the factor that lanes move, copied side by side: a row for each of some points, in
 * which lane k is element k, whatever the loops' strides, and what is out of bounds has its value.
 * Then sums are loops over plain arrays.
 */
final class Panel {

  /** Points that it holds at most: so many rows fit the first cache. */
  static final int POINTS = 32;

  private final LoopGroup lanes;
  private final Buffer buffer;
  private final float outside;
  private final float[][] rows = new float[POINTS][VectorizationPlan.LANES];

  /** What lanes and what the other loops add to an element's place. */
  private final Affine placeOfLane;

  private final Affine placeOfPoint;
  private final int stride;
  private final Axis[] axes;

  /** Lanes between which only the innermost lane loop moves, by run; one more for the end. */
  private final int[] runs = new int[VectorizationPlan.LANES + 1];

  private final long[] places = new long[VectorizationPlan.LANES];
  private int runCount;
  private final LaneRange inside = new LaneRange();

  /** An axis that lanes may leave. */
  private static final class Axis {

    final Affine ofLane;
    final Affine ofPoint;
    final long step;
    final long extent;

    /** By run. */
    final long[] indices = new long[VectorizationPlan.LANES];

    /** In the present point. */
    long index;

    Axis(LoopGroup lanes, Affine affine, long extent) {
      this.ofLane = lanes.part(affine);
      this.ofPoint = lanes.without(affine);
      this.step = affine.coefficient(lanes.innermost());
      this.extent = extent;
    }
  }

  /** A panel of a form's factor. */
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

  /** Begins a strip of lanes; moves the lanes' indices. O(runs). */
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

  /** Adds to each lane's sum the products of the first rows with a number each, in order. */
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
