package dev.sublet.picture;

import java.util.Arrays;

/** What is too small to be drawn by itself, in square cells of a few colors. */
final class CellRaster {

  /** The number of colors that boxes have. */
  static final int COLORS = 12;

  private static final double CELL = 2;

  private final int columns;
  private final int rows;
  private final byte[] cells;

  /** An empty raster. */
  CellRaster(double width, double height) {
    this.columns = (int) Math.ceil(width / CELL);
    this.rows = (int) Math.ceil(height / CELL);
    this.cells = new byte[columns * rows];
    Arrays.fill(cells, (byte) -1);
  }

  /** Gives a color to the cells that a rectangle touches, and that have none yet. */
  void add(double x1, double x2, double y1, double y2, int color) {
    int lastColumn = Math.min(columns - 1, (int) (x2 / CELL));
    int lastRow = Math.min(rows - 1, (int) (y2 / CELL));
    for (int row = (int) (y1 / CELL); row <= lastRow; row++) {
      for (int column = (int) (x1 / CELL); column <= lastColumn; column++) {
        if (cells[row * columns + column] < 0) {
          cells[row * columns + column] = (byte) color;
        }
      }
    }
  }

  /** Adds the cells, row 0 at the bottom: a path a color, of one line a run. */
  void draw(SvgText svg, double left, double bottom) {
    StringBuilder[] paths = new StringBuilder[COLORS];
    for (int row = 0; row < rows; row++) {
      for (int column = 0; column < columns; ) {
        int color = cells[row * columns + column];
        int end = column + 1;
        while (end < columns && cells[row * columns + end] == color) {
          end++;
        }
        if (color >= 0) {
          if (paths[color] == null) {
            paths[color] = new StringBuilder();
          }
          paths[color]
              .append('M')
              .append(SvgText.number(left + column * CELL))
              .append(' ')
              .append(SvgText.number(bottom - (row + 0.5) * CELL))
              .append('h')
              .append(SvgText.number((end - column) * CELL));
        }
        column = end;
      }
    }
    for (int color = 0; color < COLORS; color++) {
      if (paths[color] != null) {
        svg.path(paths[color].toString(), "dust s" + color);
      }
    }
  }
}
