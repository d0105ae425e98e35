package dev.sublet.picture;

import dev.sublet.diag.ByteText;
import dev.sublet.picture.Picture.Box;
import dev.sublet.picture.Picture.Curve;
import dev.sublet.picture.Picture.PictureStage;
import dev.sublet.picture.Picture.Piece;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Writes the stage after as a map for terminals: time goes to the right, bytes go upwards. Each
 * variable is a letter, with a legend below the map; free bytes are dots. A cell shows the box that
 * covers the largest part of it. O(boxes + touched cells).
 */
public final class TerminalPicture {

  private static final int ROWS = 16;
  private static final int GUTTER = 12;
  private static final int NARROWEST = 40;
  private static final int WIDEST = 160;
  private static final int LEGEND = 12;
  private static final String LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  private static final String LEVELS = " ▁▂▃▄▅▆▇█";
  private static final char ESCAPE = '\u001B';

  /** The colors, among the 256 of a terminal, on which black letters are readable. */
  private static final int[] COLORS = {
    111, 215, 114, 174, 141, 185, 80, 182, 149, 180, 110, 177, 223, 158, 146, 187
  };

  private final Picture picture;
  private final PictureStage stage;
  private final int columns;
  private final boolean inColor;
  private final long bytes;
  private final long[] bases;
  private final int[] owners;
  private final double[] shares;
  private final int[] letters;

  private TerminalPicture(Picture picture, int width, boolean inColor) {
    this.picture = picture;
    this.stage = picture.after();
    this.inColor = inColor;
    int room = Math.min(WIDEST, Math.max(NARROWEST, width)) - GUTTER - 1;
    int end = Math.max(1, picture.axis().endPoint());
    // If there are few points, each gets the same number of columns.
    this.columns = end < room ? room / end * end : room;
    this.bases = new long[stage.arenas().size()];
    long sum = 0;
    for (int i = 0; i < bases.length; i++) {
      bases[i] = sum;
      sum += stage.arenas().get(i).bytes();
    }
    this.bytes = sum;
    this.owners = new int[ROWS * columns];
    this.shares = new double[ROWS * columns];
    this.letters = new int[picture.variables().size()];
    Arrays.fill(owners, -1);
    Arrays.fill(letters, -1);
  }

  /**
   * Returns the map.
   *
   * @param width the maximum number of characters per line; at least 40 are used
   * @param inColor whether to use colors
   */
  public static String toText(Picture picture, int width, boolean inColor) {
    return new TerminalPicture(picture, width, inColor).draw();
  }

  private String draw() {
    if (bytes == 0 || picture.axis().steps().isEmpty()) {
      return "";
    }
    for (Box box : stage.boxes()) {
      for (Piece piece : box.pieces()) {
        occupy(box, piece);
      }
    }
    List<Integer> shown = assignLetters();
    StringBuilder text = new StringBuilder();
    for (int row = ROWS - 1; row >= 0; row--) {
      boolean isLabeled = row == ROWS - 1 || row % 4 == 0;
      // The label of the highest row is at its upper edge, the others are at lower edges.
      double edge = row == ROWS - 1 ? ROWS : row;
      gutter(isLabeled ? ByteText.rounded(Math.round(bytes * edge / ROWS)) : "", text);
      drawRow(row, text);
    }
    gutter("live", text);
    drawLive(text);
    drawAxis(text);
    drawLegend(shown, text);
    return text.toString();
  }

  private static void gutter(String words, StringBuilder text) {
    text.append(" ".repeat(Math.max(0, GUTTER - 2 - words.length()))).append(words).append(" │");
  }

  /** Gives a piece the cells of which it covers a larger part than all earlier pieces. */
  private void occupy(Box box, Piece piece) {
    double perPoint = (double) columns / picture.axis().endPoint();
    double perByte = (double) ROWS / bytes;
    double left = piece.begin() * perPoint;
    double right = piece.end() * perPoint;
    double low = (bases[box.arena()] + box.offset() + piece.low()) * perByte;
    double high = (bases[box.arena()] + box.offset() + piece.high()) * perByte;
    for (int row = (int) low; row < Math.min(ROWS, high); row++) {
      double height = Math.min(high, row + 1) - Math.max(low, row);
      for (int column = (int) left; column < Math.min(columns, right); column++) {
        double share = height * (Math.min(right, column + 1) - Math.max(left, column));
        // Of equal parts, the first piece in the plan's order stays.
        if (share > shares[row * columns + column] + 1e-9) {
          shares[row * columns + column] = share;
          owners[row * columns + column] = box.variable();
        }
      }
    }
  }

  /** Assigns letters by time, then by offset. Returns the variables that have a letter. */
  private List<Integer> assignLetters() {
    List<Integer> met = new ArrayList<>();
    for (int column = 0; column < columns; column++) {
      for (int row = 0; row < ROWS; row++) {
        int owner = owners[row * columns + column];
        if (owner >= 0 && letters[owner] < 0) {
          letters[owner] = met.size();
          met.add(owner);
        }
      }
    }
    return met;
  }

  private void drawRow(int row, StringBuilder text) {
    int color = -1;
    for (int column = 0; column < columns; column++) {
      int owner = owners[row * columns + column];
      int wanted = owner < 0 ? -1 : COLORS[letters[owner] % COLORS.length];
      if (inColor && wanted != color) {
        append(wanted, text);
      }
      color = wanted;
      text.append(owner < 0 ? '·' : LETTERS.charAt(letters[owner] % LETTERS.length()));
    }
    if (inColor && color >= 0) {
      append(-1, text);
    }
    text.append('\n');
  }

  /** Switches to black on a color, or for -1 to the terminal's default colors. */
  private static void append(int color, StringBuilder text) {
    text.append(ESCAPE).append(color < 0 ? "[0m" : "[30;48;5;" + color + "m");
  }

  /** Draws the peak of the live bytes per column, in eighths of the overall peak. */
  private void drawLive(StringBuilder text) {
    Curve live = picture.live();
    long most = live.bytes().isEmpty() ? 0 : live.bytes().get(live.peak());
    long[] highest = new long[columns];
    for (int i = 0; i < live.points().length(); i++) {
      int end =
          i + 1 < live.points().length() ? live.points().get(i + 1) : picture.axis().endPoint();
      int first = (int) ((long) live.points().get(i) * columns / picture.axis().endPoint());
      long last = ((long) end * columns - 1) / picture.axis().endPoint();
      for (int column = first; column <= Math.min(columns - 1, last); column++) {
        highest[column] = Math.max(highest[column], live.bytes().get(i));
      }
    }
    for (long value : highest) {
      int level = most == 0 ? 0 : (int) Math.ceil(8.0 * value / most);
      text.append(LEVELS.charAt(level));
    }
    text.append('\n');
  }

  private void drawAxis(StringBuilder text) {
    text.append(" ".repeat(GUTTER - 1)).append('└').append("─".repeat(columns)).append('\n');
    String unit = picture.axis().pointsPerStep() == 1 ? "times" : "operators";
    String line = picture.axis().count() + " " + unit + "; peak" + Summary.peak(picture) + ".";
    text.append(" ".repeat(GUTTER)).append(line).append('\n');
  }

  private void drawLegend(List<Integer> shown, StringBuilder text) {
    long[] sizes = new long[picture.variables().size()];
    for (Box box : stage.boxes()) {
      sizes[box.variable()] = Math.max(sizes[box.variable()], box.bytes());
    }
    List<Integer> largest = new ArrayList<>(shown);
    largest.sort((a, b) -> Long.compare(sizes[b], sizes[a]));
    int lines = Math.min(LEGEND, largest.size());
    for (int variable : largest.subList(0, lines)) {
      text.append(" ".repeat(GUTTER));
      if (inColor) {
        append(COLORS[letters[variable] % COLORS.length], text);
      }
      text.append(LETTERS.charAt(letters[variable] % LETTERS.length()));
      if (inColor) {
        append(-1, text);
      }
      String name =
          SvgText.fitting(picture.variables().get(variable).name(), 40 * SvgText.CHARACTER);
      text.append("  ")
          .append(name)
          .append("  ")
          .append(ByteText.rounded(sizes[variable]))
          .append('\n');
    }
    if (largest.size() > lines) {
      int rest = largest.size() - lines;
      text.append(" ".repeat(GUTTER)).append("and ").append(rest).append(" more on the map\n");
    }
  }
}
