package dev.sublet.runtime.micro.emit;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * Another order of the constant factors of a product, in which a tile reads them one after the
 * other: blocks of 8 rows, in each block point by point.
 *
 * <pre>
 * before   w[row][point]
 * after    w[row / 8][point][row % 8]
 * </pre>
 *
 * @param rows the number of rows, a multiple of 8
 * @param points the number of points
 * @param rowStep the distance from each row to the next
 * @param pointStep the distance from each point to the next
 */
public record PackedRows(int rows, int points, int rowStep, int pointStep) {

  private static final int BLOCK = ProductTile.MOST_ROWS;

  /**
   * Throws {@link IllegalArgumentException} unless rows and points together are all elements of
   * {@code rows * points}.
   */
  public PackedRows {
    checkArgument(rows % BLOCK == 0, "%s rows", rows);
    checkArgument(areAllElements(rows, points, rowStep, pointStep), "%s, %s", rowStep, pointStep);
  }

  static boolean areAllElements(long rows, long points, long rowStep, long pointStep) {
    return (rowStep == points && pointStep == 1) || (rowStep == 1 && pointStep == rows);
  }

  /** Returns factors in the other order; several times {@code rows * points}. O(length). */
  public float[] pack(float[] factors) {
    int chunk = rows * points;
    checkArgument(factors.length % chunk == 0, "%s factors", factors.length);
    float[] packed = new float[factors.length];
    int to = 0;
    for (int begin = 0; begin < factors.length; begin += chunk) {
      for (int block = 0; block < rows; block += BLOCK) {
        for (int point = 0; point < points; point++) {
          for (int row = block; row < block + BLOCK; row++) {
            packed[to++] = factors[begin + row * rowStep + point * pointStep];
          }
        }
      }
    }
    return packed;
  }
}
