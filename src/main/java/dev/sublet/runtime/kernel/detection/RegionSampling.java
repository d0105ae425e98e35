package dev.sublet.runtime.kernel.detection;

import dev.sublet.runtime.kernel.OperatorException;

/**
 * The points at which a map is sampled for one region. The region is divided into bins, and each
 * bin has a grid of points.
 *
 * <p>Source: K. He et al., "Mask R-CNN", 2017. Looking at a point is O(1).
 */
public final class RegionSampling {

  /**
   * The limit on the points of one bin. A bin with more points belongs to a region far larger than
   * any image, and would take hours.
   */
  private static final long MOST_POINTS = 1 << 24;

  /**
   * The division of regions of a map.
   *
   * @param rows the height of the map
   * @param columns the width of the map
   * @param height the number of rows of bins
   * @param width the number of columns of bins
   * @param ratio the number of points along each axis of a bin; by the extent of the bin if it is
   *     not positive
   * @param scale the factor from coordinates of regions to those of the map
   * @param aligned whether coordinates are half an element less, so that they are those of the
   *     middles of elements
   */
  public record Bins(
      int rows, int columns, int height, int width, int ratio, float scale, boolean aligned) {}

  private final int rows;
  private final int columns;
  private final float left;
  private final float top;
  private final float binWidth;
  private final float binHeight;
  private final int gridWidth;
  private final int gridHeight;
  private final int binColumns;
  private final int[] places = new int[4];
  private final float[] weights = new float[4];

  /**
   * Places the points.
   *
   * @param regions the corners of regions, four numbers each
   * @param at the index at which the region's corners begin
   */
  public RegionSampling(Bins bins, float[] regions, int at) {
    float shift = bins.aligned() ? 0.5f : 0;
    float scale = bins.scale();
    binColumns = bins.width();
    rows = bins.rows();
    columns = bins.columns();
    left = regions[at] * scale - shift;
    top = regions[at + 1] * scale - shift;
    float regionWidth = regions[at + 2] * scale - shift - left;
    float regionHeight = regions[at + 3] * scale - shift - top;
    if (!bins.aligned()) {
      regionWidth = Math.max(regionWidth, 1);
      regionHeight = Math.max(regionHeight, 1);
    }
    binWidth = regionWidth / bins.width();
    binHeight = regionHeight / bins.height();
    int ratio = bins.ratio();
    gridWidth = ratio > 0 ? ratio : (int) Math.ceil(binWidth);
    gridHeight = ratio > 0 ? ratio : (int) Math.ceil(binHeight);
    if ((long) gridWidth * gridHeight > MOST_POINTS) {
      throw OperatorException.beyondLimits(
          "a bin of " + gridWidth + " × " + gridHeight + " points is more than are looked at");
    }
  }

  /** Returns the number of points of each bin; 0 or less for an empty region. */
  public int points() {
    return Math.max(gridHeight, 0) * Math.max(gridWidth, 0);
  }

  /** Returns the indices in the map that the last {@link #look} found. */
  public int[] places() {
    return places;
  }

  /** Returns the weights that the last {@link #look} found. */
  public float[] weights() {
    return weights;
  }

  /** Returns the average of a bin's points; 0 if it has none. */
  float average(float[] maps, int map, int bin) {
    float sum = 0;
    for (int i = 0; i < gridHeight * gridWidth; i++) {
      if (look(bin, i)) {
        for (int k = 0; k < places.length; k++) {
          sum += weights[k] * maps[map + places[k]];
        }
      }
    }
    int count = gridHeight * gridWidth;
    return count == 0 ? 0 : sum / count;
  }

  /**
   * Adds the gradient of a bin's average to the map elements that the average was computed from.
   */
  void spread(float gradient, float[] maps, int map, int bin) {
    int count = gridHeight * gridWidth;
    for (int i = 0; i < count; i++) {
      if (look(bin, i)) {
        for (int k = 0; k < places.length; k++) {
          maps[map + places[k]] += gradient * weights[k] / count;
        }
      }
    }
  }

  /**
   * Finds the four elements nearest to a point of a bin, and their weights. Returns false if the
   * point is more than one element outside the map.
   */
  public boolean look(int bin, int point) {
    int row = bin / binColumns;
    int column = bin % binColumns;
    int gridRow = point / gridWidth;
    int gridColumn = point % gridWidth;
    float y = top + binHeight * (row + (gridRow + 0.5f) / gridHeight);
    float x = left + binWidth * (column + (gridColumn + 0.5f) / gridWidth);
    if (y < -1 || y > rows || x < -1 || x > columns) {
      return false;
    }
    float clampedY = Boxes.clamp(y, 0, rows - 1);
    float clampedX = Boxes.clamp(x, 0, columns - 1);
    int upper = (int) clampedY;
    int before = (int) clampedX;
    int lower = Math.min(upper + 1, rows - 1);
    int behind = Math.min(before + 1, columns - 1);
    float down = clampedY - upper;
    float right = clampedX - before;
    set(0, upper, before, (1 - down) * (1 - right));
    set(1, upper, behind, (1 - down) * right);
    set(2, lower, before, down * (1 - right));
    set(3, lower, behind, down * right);
    return true;
  }

  private void set(int k, int row, int column, float weight) {
    places[k] = row * columns + column;
    weights[k] = weight;
  }
}
