package dev.sublet.plan;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;

/**
 * A planning problem without a program: buffers to place in one arena, one row per buffer. Planners
 * exchange such tables as CSV. The text of each line is kept, so that the table can be written
 * without changes.
 *
 * @param header the line that names the columns
 * @param columns the meaning of each column; empty for an unknown column
 * @param lineEnd the line terminator
 * @param rows the buffers; their ids are distinct
 */
public record BufferTable(
    String header, ImmutableList<String> columns, String lineEnd, ImmutableList<Row> rows) {

  /** The column of names. */
  public static final String ID = "id";

  /** The column of the first times of buffers. */
  public static final String LOWER = "lower";

  /** The column of the first times after buffers. */
  public static final String UPPER = "upper";

  /** The column of sizes in bytes. */
  public static final String SIZE = "size";

  /** The column of alignments. */
  public static final String ALIGNMENT = "alignment";

  /** The column of offsets: fixed offsets in a problem, the result in a plan. */
  public static final String OFFSET = "offset";

  /** The column of gaps: times at which a buffer occupies only some of its bytes, or none. */
  public static final String GAPS = "gaps";

  /** The alignment of a row without one. */
  public static final long NO_ALIGNMENT = 0;

  /** The offset of a row without one. */
  public static final long NO_OFFSET = -1;

  /**
   * A buffer. It occupies its bytes from time {@code lower}, inclusive, to time {@code upper},
   * exclusive, except in gaps.
   *
   * @param line the line number in the file, from 1
   * @param text the text of the line
   * @param id the name of the buffer
   * @param lower the first time
   * @param upper the first time after it; above {@code lower}
   * @param size the number of bytes, at least 1
   * @param alignment the number that the offset must be a multiple of, or {@link #NO_ALIGNMENT}
   * @param offset the required or planned offset, or {@link #NO_OFFSET}
   * @param gaps the gaps: between {@code lower} and {@code upper}, ascending and disjoint. The
   *     buffer occupies at least one byte at some time
   */
  public record Row(
      int line,
      String text,
      String id,
      long lower,
      long upper,
      long size,
      long alignment,
      long offset,
      ImmutableList<TimeGap> gaps) {

    public Row {
      requireNonNull(text, "text");
      requireNonNull(id, "id");
      requireNonNull(gaps, "gaps");
    }

    /** Whether the row has an offset. */
    public boolean hasOffset() {
      return offset != NO_OFFSET;
    }

    /** The alignment of the row, or {@code otherwise} if the row has none. */
    public long alignmentOr(long otherwise) {
      return alignment == NO_ALIGNMENT ? otherwise : alignment;
    }
  }

  /**
   * A time in which a buffer occupies only some of its bytes, or no bytes if {@code low} and {@code
   * high} are 0.
   *
   * @param lower the first time of the gap
   * @param upper the first time after the gap
   * @param low the first byte that the buffer occupies, relative to its offset
   * @param high the first byte after the occupied bytes, relative to the offset
   */
  public record TimeGap(long lower, long upper, long low, long high) {

    /** Whether some bytes are occupied. */
    public boolean hasWindow() {
      return low < high;
    }
  }

  public BufferTable {
    requireNonNull(header, "header");
    requireNonNull(columns, "columns");
    requireNonNull(lineEnd, "lineEnd");
    requireNonNull(rows, "rows");
  }

  /** The index of a column, or -1 if the table does not have the column. */
  public int indexOf(String column) {
    return columns.indexOf(column);
  }

  /** The offset of each row, or {@link #NO_OFFSET} for a row without one. */
  public ImmutableLongArray offsets() {
    ImmutableLongArray.Builder offsets = ImmutableLongArray.builder(rows.size());
    for (Row row : rows) {
      offsets.add(row.offset());
    }
    return offsets.build();
  }

  /**
   * The position of a cell, for messages: line and character, both from 1, as in {@code 3:14}. If
   * there is no such column, the position of the line's first character. O(length of the line).
   */
  public String position(Row row, String column) {
    return row.line() + ":" + cellStart(row.text(), Math.max(0, indexOf(column)));
  }

  /** The character, from 1, at which a cell of a line begins. */
  private static int cellStart(String text, int cell) {
    int start = 0;
    for (int i = 0; i < cell; i++) {
      start = text.indexOf(',', start) + 1;
    }
    return text.codePointCount(0, start) + 1;
  }
}
