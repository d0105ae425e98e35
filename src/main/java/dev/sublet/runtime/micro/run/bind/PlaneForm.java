package dev.sublet.runtime.micro.run.bind;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A nest of sums of products with one row, whose points move along one or two axes of the panel: a
 * depthwise convolution.
 *
 * <pre>
 * y[c, h, w] = sum over i, j of x[c, 2 * h + i - 1, 2 * w + j - 1] * f[c, i, j]
 * </pre>
 *
 * <p>A band of rows of one channel is copied into a plane, with zeros around. A stride of 2 divides
 * the plane into two by two: of even and odd rows and columns. Then the elements that the lanes of
 * an output row read for a point are adjacent, at the same offset from the lane for all rows.
 *
 * @param rows the axis outside; null if the points move along one axis
 * @param columns the axis whose elements are adjacent
 * @param around the lane loops that move along neither axis
 * @param base the position in the tensor, without both axes
 */
public record PlaneForm(
    @Nullable Axis rows, Axis columns, ImmutableList<Integer> around, Affine base) {

  private static final long MOST_POINTS = 1024;

  /** Offsets in a plane are of 32 bits. */
  private static final long MOST_BYTES = 1 << 30;

  /** The lanes of a vector; the last one of a row may read as many elements after a plane. */
  public static final int LANES = 16;

  /**
   * An axis along which lanes and points move.
   *
   * @param lane the depth of the loop over lanes; -1 if there is one lane
   * @param point the depth of the loop over points; -1 if there is one point
   * @param lanes the lanes
   * @param points the points
   * @param stride the distance from each lane to the next
   * @param dilation the distance from each point to the next
   * @param first the index of the first point of the first lane
   * @param extent the extent of the tensor's axis
   * @param pitch the distance in the tensor from each element to the next
   */
  public record Axis(
      int lane,
      int point,
      long lanes,
      long points,
      long stride,
      long dilation,
      Affine first,
      long extent,
      long pitch) {

    /**
     * Returns the elements from the first point of the first lane to the last point of the last.
     */
    long span(long someLanes) {
      return (someLanes - 1) * stride + (points - 1) * dilation + 1;
    }

    /**
     * Returns the elements of each of the {@code stride} parts into which the stride divides them.
     */
    public long part(long someLanes) {
      return (span(someLanes) + stride - 1) / stride;
    }
  }

  /**
   * Returns the plane form of a product form, or null if it has none. O(loops · axes).
   *
   * @param form a form whose loops begin at 0 and whose panel is 0 out of bounds
   */
  public static @Nullable PlaneForm find(BoundNest nest, ProductForm form) {
    if (form.rows().count() != 1 || form.points().count() > MOST_POINTS) {
      return null;
    }
    BoundAccess panel = form.panel().access();
    int last = panel.axes().size() - 1;
    Axis columns = axis(nest, form, last);
    if (columns == null || columns.lane() != form.lanes().innermost()) {
      return null;
    }
    Axis rows = null;
    int outside = outside(nest, form, last);
    if (outside >= 0) {
      rows = axis(nest, form, outside);
      if (rows == null) {
        return null;
      }
    }
    ImmutableSet<BoundAccess.Axis> both =
        outside < 0
            ? ImmutableSet.of(panel.axes().get(last))
            : ImmutableSet.of(panel.axes().get(last), panel.axes().get(outside));
    if (!both.containsAll(form.panel().checkedAxes(nest))
        || !isComplete(nest, form, rows, columns)) {
      return null;
    }
    PlaneForm plane =
        new PlaneForm(rows, columns, around(form, rows, columns), base(nest, form, both));
    return plane.bytes(LANES) <= MOST_BYTES ? plane : null;
  }

  /** Returns the outermost axis whose index depends on points, the last axis aside; or -1. */
  private static int outside(BoundNest nest, ProductForm form, int last) {
    for (int axis = 0; axis < last; axis++) {
      Affine index = requireNonNull(form.panel().access().axes().get(axis).affine());
      if (!moving(nest, form.points(), index).isEmpty()) {
        return axis;
      }
    }
    return -1;
  }

  private static @Nullable Axis axis(BoundNest nest, ProductForm form, int position) {
    ImmutableList<BoundAccess.Axis> axes = form.panel().access().axes();
    Affine index = requireNonNull(axes.get(position).affine());
    List<Integer> lanes = moving(nest, form.lanes(), index);
    List<Integer> points = moving(nest, form.points(), index);
    if (lanes.size() > 1 || points.size() > 1) {
      return null;
    }
    int lane = lanes.isEmpty() ? -1 : lanes.get(0);
    int point = points.isEmpty() ? -1 : points.get(0);
    long stride = lane < 0 ? 1 : index.coefficient(lane);
    long dilation = point < 0 ? 1 : index.coefficient(point);
    if (stride < 1 || dilation < 1) {
      return null;
    }
    long pitch = 1;
    for (BoundAccess.Axis inner : axes.subList(position + 1, axes.size())) {
      pitch *= inner.extent();
    }
    Affine first = form.lanes().without(form.points().without(index));
    return new Axis(
        lane,
        point,
        iterations(nest, lane),
        iterations(nest, point),
        stride,
        dilation,
        first,
        axes.get(position).extent(),
        pitch);
  }

  private static long iterations(BoundNest nest, int depth) {
    return depth < 0 ? 1 : requireNonNull(nest.iterations(depth));
  }

  /** Returns the depths of the loops of a group that run more than once and move an index. */
  private static List<Integer> moving(BoundNest nest, LoopGroup group, Affine index) {
    List<Integer> depths = new ArrayList<>();
    for (int i = 0; i < group.loops(); i++) {
      int depth = group.depth(i);
      if (iterations(nest, depth) > 1 && index.coefficient(depth) != 0) {
        depths.add(depth);
      }
    }
    return depths;
  }

  /**
   * Whether each loop over lanes moves along at most one axis, and each loop over points along one
   * of these two, in their order.
   */
  private static boolean isComplete(
      BoundNest nest, ProductForm form, @Nullable Axis rows, Axis columns) {
    int found = 0;
    Set<Integer> moved = new HashSet<>();
    for (BoundAccess.Axis axis : form.panel().access().axes()) {
      Affine index = requireNonNull(axis.affine());
      found += moving(nest, form.points(), index).size();
      for (int lane : moving(nest, form.lanes(), index)) {
        if (!moved.add(lane)) {
          return false;
        }
      }
    }
    long points = columns.points() * (rows == null ? 1 : rows.points());
    int expected = (columns.point() >= 0 ? 1 : 0) + (rows != null && rows.point() >= 0 ? 1 : 0);
    boolean isRowPointOutside =
        rows == null || rows.point() < 0 || columns.point() < 0 || rows.point() < columns.point();
    return found == expected && points == form.points().count() && isRowPointOutside;
  }

  private static ImmutableList<Integer> around(
      ProductForm form, @Nullable Axis rows, Axis columns) {
    ImmutableList.Builder<Integer> around = ImmutableList.builder();
    for (int i = 0; i < form.lanes().loops(); i++) {
      int depth = form.lanes().depth(i);
      if (depth != columns.lane() && (rows == null || depth != rows.lane())) {
        around.add(depth);
      }
    }
    return around.build();
  }

  private static Affine base(
      BoundNest nest, ProductForm form, ImmutableSet<BoundAccess.Axis> both) {
    Affine base = Affine.constant(0, nest.loops());
    for (BoundAccess.Axis axis : form.panel().access().axes()) {
      base = base.times(axis.extent());
      if (!both.contains(axis)) {
        base = base.plus(requireNonNull(axis.affine()));
      }
    }
    return base;
  }

  /** The rows of the output. */
  public long height() {
    return rows == null ? 1 : rows.lanes();
  }

  /** Returns the rows of a band for a number of lanes. */
  public long band(int strip) {
    return Math.min(height(), Math.max(1, strip / columns.lanes()));
  }

  /** Returns the rows of one part of the plane of a band. */
  private long partRows(long band) {
    return rows == null ? 1 : rows.part(band);
  }

  /** Returns the elements of one part of the plane of a band. */
  public long partElements(long band) {
    return partRows(band) * columns.part(columns.lanes());
  }

  /** Returns the bytes of the plane of a band. */
  public long bytes(int strip) {
    long parts = columns.stride() * (rows == null ? 1 : rows.stride());
    return Float.BYTES * (parts * partElements(band(strip)) + LANES);
  }
}
