package dev.sublet.runtime.micro.run;

import static java.util.Objects.requireNonNull;

import dev.sublet.runtime.micro.run.bind.Affine;
import dev.sublet.runtime.micro.run.bind.BoundAccess;
import dev.sublet.runtime.micro.run.bind.BoundNest;
import dev.sublet.runtime.micro.run.bind.LoopGroup;
import dev.sublet.runtime.micro.run.bind.ProductForm;

/**
 * The factor of a {@link ProductForm} that depends on the rows, read for one row and several points
 * at a time.
 */
final class Factors {

  private final Buffer buffer;
  private final float outside;
  private final SplitOffsets places;
  private final SplitOffsets[] indices;
  private final long[] extents;
  private final float[] factors = new float[Panel.POINTS];

  /** An affine form, split into the row loops' part for each row and the rest for each point. */
  private static final class SplitOffsets {

    private final Affine ofRow;
    private final Affine ofPoint;
    final long[] rows;
    final long[] points = new long[Panel.POINTS];

    SplitOffsets(Affine affine, LoopGroup rowLoops, int rowCount) {
      this.ofRow = rowLoops.part(affine);
      this.ofPoint = rowLoops.without(affine);
      this.rows = new long[rowCount];
    }
  }

  /**
   * Creates the factors of a form.
   *
   * @param rowCount the greatest number of rows in a block
   */
  Factors(BoundNest nest, ProductForm form, Buffer buffer, int rowCount) {
    this.buffer = buffer;
    this.outside = form.factor().outside();
    this.places = new SplitOffsets(form.factor().place(nest), form.rows(), rowCount);
    this.indices =
        form.factor().checkedAxes(nest).stream()
            .map(axis -> new SplitOffsets(requireNonNull(axis.affine()), form.rows(), rowCount))
            .toArray(SplitOffsets[]::new);
    this.extents =
        form.factor().checkedAxes(nest).stream().mapToLong(BoundAccess.Axis::extent).toArray();
  }

  /** Records the position of a row. O(axes). */
  void setRow(int row, long[] index) {
    places.rows[row] = places.ofRow.at(index);
    for (SplitOffsets axis : indices) {
      axis.rows[row] = axis.ofRow.at(index);
    }
  }

  /** Records the position of a point. O(axes). */
  void setPoint(int point, long[] index) {
    places.points[point] = places.ofPoint.at(index);
    for (SplitOffsets axis : indices) {
      axis.points[point] = axis.ofPoint.at(index);
    }
  }

  /**
   * Returns the factors of a row at the first {@code count} points, valid until the next call.
   * O(points · axes).
   */
  float[] ofRow(int row, int count) {
    float[] elements = buffer.floats;
    long place = places.rows[row];
    for (int point = 0; point < count; point++) {
      factors[point] =
          indices.length == 0 || isInside(row, point)
              ? elements[(int) (place + places.points[point])]
              : outside;
    }
    return factors;
  }

  private boolean isInside(int row, int point) {
    for (int axis = 0; axis < indices.length; axis++) {
      long index = indices[axis].rows[row] + indices[axis].points[point];
      if (index < 0 || index >= extents[axis]) {
        return false;
      }
    }
    return true;
  }
}
