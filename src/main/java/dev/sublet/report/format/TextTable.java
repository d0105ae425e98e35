package dev.sublet.report.format;

import com.google.common.base.Strings;
import dev.sublet.diag.VisibleText;
import java.util.ArrayList;
import java.util.List;

/**
 * Rows of cells in aligned columns, separated by two blanks. Text columns are aligned left, number
 * columns right. No line ends with a blank.
 */
public final class TextTable {

  /** The type of a column: text is aligned left, numbers are aligned right. */
  public enum Column {
    TEXT,
    NUMBER
  }

  private static final String GAP = "  ";

  private final Column[] columns;
  private final int[] widths;
  private final List<String[]> rows = new ArrayList<>();

  /** Creates an empty table. */
  public TextTable(Column... columns) {
    this.columns = columns.clone();
    this.widths = new int[columns.length];
  }

  /** Adds a row, with as many cells as columns. */
  public TextTable row(String... cells) {
    if (cells.length != columns.length) {
      throw new IllegalArgumentException(cells.length + " cells in " + columns.length + " columns");
    }
    String[] row = new String[cells.length];
    for (int i = 0; i < cells.length; i++) {
      row[i] = VisibleText.of(cells[i]);
      widths[i] = Math.max(widths[i], row[i].length());
    }
    rows.add(row);
    return this;
  }

  /** Returns the rows; each ends with a line feed. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (String[] row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < row.length; i++) {
        line.append(i == 0 ? "" : GAP).append(pad(i, row[i]));
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
    return text.toString();
  }

  private String pad(int column, String cell) {
    return columns[column] == Column.NUMBER
        ? Strings.padStart(cell, widths[column], ' ')
        : Strings.padEnd(cell, widths[column], ' ');
  }
}
