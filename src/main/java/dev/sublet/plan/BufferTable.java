package dev.sublet.plan;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;

/**
 * Buffers to be placed in one arena, without a program: a table of one row a buffer, as planners
 * exchange it. Its text is kept, so that it can be written again as it was.
 *
 * @param header the line that names the columns
 * @param columns what each of them holds; empty for one that nobody knows
 * @param lineEnd what ends a line
 * @param rows the buffers; their ids are distinct
 */
public record BufferTable(
    String header, ImmutableList<String> columns, String lineEnd, ImmutableList<Row> rows) {

  /** The column of names. */
  public static final String ID = "id";

  /** The column of first times. */
  public static final String LOWER = "lower";

  /** The column of first times after them. */
  public static final String UPPER = "upper";

  /** The column of bytes. */
  public static final String SIZE = "size";

  /** The column of what offsets must be multiples of. */
  public static final String ALIGNMENT = "alignment";

  /** The column of offsets: pins in a problem, the result in a plan. */
  public static final String OFFSET = "offset";

  /** The column of times at which a buffer occupies not all of its bytes. */
  public static final String GAPS = "gaps";

  /** The alignment of a row that gives none. */
  public static final long NO_ALIGNMENT = 0;

  /** The offset of a row that gives none. */
  public static final long NO_OFFSET = -1;

  /**
   * A buffer. From {@code lower} on and before {@code upper} it occupies its bytes, gaps aside.
   *
   * @param line its line in the file, from 1
   * @param text that line
   * @param id its name
   * @param lower the first time
   * @param upper the first time after it; above {@code lower}
   * @param size bytes, at least 1
   * @param alignment what its offset must be a multiple of; or {@link #NO_ALIGNMENT}
   * @param offset where it must be, or is; or {@link #NO_OFFSET}
   * @param gaps within its time; ascending, disjoint, and leaving it some byte at some time
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
      ImmutableList<Gap> gaps) {

    public Row {
      requireNonNull(text, "text");
      requireNonNull(id, "id");
      requireNonNull(gaps, "gaps");
    }

    /** Whether its offset is given. */
    public boolean hasOffset() {
      return offset != NO_OFFSET;
    }

    /** Its alignment, or the given one if it has none of its own. */
    public long alignmentOr(long otherwise) {
      return alignment == NO_ALIGNMENT ? otherwise : alignment;
    }
  }

  /**
   * A time at which a buffer occupies only some of its bytes, or none if {@code low} and {@code
   * high} are 0.
   *
   * @param lower the time from which on
   * @param upper the time before which
   * @param low the first byte that it occupies, counted from its own first one
   * @param high the byte behind the last one
   */
  public record Gap(long lower, long upper, long low, long high) {

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

  /** The index of a column, or -1 if the table does not have it. */
  public int indexOf(String column) {
    return columns.indexOf(column);
  }

  /** The offsets that the rows give, {@link #NO_OFFSET} where they do not. */
  public ImmutableLongArray offsets() {
    ImmutableLongArray.Builder offsets = ImmutableLongArray.builder(rows.size());
    for (Row row : rows) {
      offsets.add(row.offset());
    }
    return offsets.build();
  }

  /**
   * Where a cell is, for messages: line and character, both from 1, as in {@code 3:14}. The line's
   * first character if there is no such column. O(length of the line).
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
