package dev.sublet.picture;

import java.util.Arrays;

/**
 * A raster of square cells in a few colors, for boxes that are too small to be drawn one by one. A
 * cell of which at least half is held shows live bytes only if at least half of it is live.
 */
final class CellRaster {

  /** The number of colors that boxes have. */
  static final int COLORS = 12;

  private static final int HELD = COLORS;
  private static final int NOTHING = -1;
  private static final double CELL = 2;

  private final int columns;
  private final int rows;

  /**
   * By cell: the area covered by live bytes, the largest area that a single piece covers, and the
   * color of that piece.
   */
  private final float[] live;

  private final float[] largest;
  private final byte[] colors;

  /** By cell: the area that is held, live or dead. */
  private final float[] held;

  /** Creates an empty raster. */
  CellRaster(double width, double height) {
    this.columns = (int) Math.ceil(width / CELL);
    this.rows = (int) Math.ceil(height / CELL);
    this.live = new float[columns * rows];
    this.largest = new float[columns * rows];
    this.colors = new byte[columns * rows];
    this.held = new float[columns * rows];
    Arrays.fill(colors, (byte) NOTHING);
  }

  /**
   * Adds live bytes to the cells that they touch. A cell shows the color of the largest piece in
   * it.
   */
  void add(double x1, double x2, double y1, double y2, int color) {
    for (int row = (int) (y1 / CELL); row < Math.min(rows, y2 / CELL); row++) {
      double height = Math.min(y2 / CELL, row + 1) - Math.max(y1 / CELL, row);
      for (int column = (int) (x1 / CELL); column < Math.min(columns, x2 / CELL); column++) {
        double width = Math.min(x2 / CELL, column + 1) - Math.max(x1 / CELL, column);
        int cell = row * columns + column;
        float area = (float) (height * width);
        live[cell] += area;
        if (area > largest[cell]) {
          largest[cell] = area;
          colors[cell] = (byte) color;
        }
      }
    }
  }

  /** Adds held bytes to the cells that they touch, from {@code x} to the right end. */
  void hold(double x, double y1, double y2) {
    for (int row = (int) (y1 / CELL); row < Math.min(rows, y2 / CELL); row++) {
      double height = Math.min(y2 / CELL, row + 1) - Math.max(y1 / CELL, row);
      for (int column = (int) (x / CELL); column < columns; column++) {
        held[row * columns + column] += (float) height;
      }
    }
  }

  private int shown(int cell) {
    if (held[cell] >= 0.5) {
      return live[cell] >= 0.5 ? colors[cell] : HELD;
    }
    return colors[cell];
  }

  /**
   * Adds the cells to a picture, row 0 at the bottom: one path per color, with one line per run of
   * cells of equal color.
   */
  void draw(SvgText svg, double left, double bottom) {
    StringBuilder[] paths = new StringBuilder[COLORS + 1];
    Arrays.setAll(paths, color -> new StringBuilder());
    for (int row = 0; row < rows; row++) {
      for (int column = 0; column < columns; ) {
        int color = shown(row * columns + column);
        int end = column + 1;
        while (end < columns && shown(row * columns + end) == color) {
          end++;
        }
        if (color != NOTHING) {
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
    for (int color = 0; color <= COLORS; color++) {
      if (!paths[color].isEmpty()) {
        svg.path(paths[color].toString(), color == HELD ? "dust dead" : "dust s" + color);
      }
    }
  }
}
