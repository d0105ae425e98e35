package dev.sublet.codec.table;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.Longs;
import dev.sublet.diag.ProgramException;
import dev.sublet.plan.BufferTable;

/** Parses the rows of a table of buffers, one at a time. O(length). */
final class BufferRowParser {

  private static final String UP_TO = " to " + Long.MAX_VALUE;

  /** The number of digits that always fit 63 bits. */
  private static final int SURE_DIGITS = 18;

  private final BufferColumns columns;
  private String line = "";
  private int number;

  /** The position of each cell in the line; the last element is the position of one more cell. */
  private final int[] starts;

  /** Creates a parser for the rows of a table with these columns. */
  BufferRowParser(BufferColumns columns) {
    this.columns = columns;
    this.starts = new int[columns.names().size() + 1];
  }

  /**
   * Returns the buffer that a line describes.
   *
   * @param lineNumber the number of the line, from 1
   * @throws ProgramException if the line is malformed; the message begins with line and character
   */
  BufferTable.Row row(String text, int lineNumber) {
    line = text;
    number = lineNumber;
    splitCells();
    String id = cell(BufferTable.ID);
    if (id.isBlank()) {
      throw malformed(start(BufferTable.ID), "the id is empty; give every row a name of its own");
    }
    checkCharacters(id);
    long size = number(BufferTable.SIZE, 1);
    long lower = number(BufferTable.LOWER, 0);
    long upper = upper(start(BufferTable.UPPER), number(BufferTable.UPPER, 0));
    if (upper <= lower) {
      throw malformed(
          start(BufferTable.UPPER),
          "the row ends before it begins; write "
              + (columns.inclusive() ? "an end from " + lower : "an upper above " + lower)
              + " on, or leave the row out");
    }
    return new BufferTable.Row(
        number,
        line,
        id,
        lower,
        upper,
        size,
        isEmpty(BufferTable.ALIGNMENT)
            ? BufferTable.NO_ALIGNMENT
            : number(BufferTable.ALIGNMENT, 1),
        isEmpty(BufferTable.OFFSET) ? BufferTable.NO_OFFSET : number(BufferTable.OFFSET, 0),
        isEmpty(BufferTable.GAPS) ? ImmutableList.of() : gaps(lower, upper, size));
  }

  /**
   * Refuses ids with control characters, which a terminal would obey or which would break a line
   * elsewhere.
   */
  private void checkCharacters(String id) {
    for (int i = 0; i < id.length(); i++) {
      if (Character.isISOControl(id.charAt(i))) {
        throw malformed(
            start(BufferTable.ID) + i,
            String.format("the id holds the control character \\x%02X", (int) id.charAt(i)));
      }
    }
  }

  private void splitCells() {
    int cells = columns.names().size();
    int count = 1;
    for (int comma = line.indexOf(','); comma >= 0; comma = line.indexOf(',', comma + 1)) {
      if (count < cells) {
        starts[count] = comma + 1;
      }
      count++;
    }
    starts[cells] = line.length() + 1;
    if (count != cells) {
      throw malformed(
          count < cells ? line.length() : starts[cells - 1],
          "the row has "
              + count
              + " cells, but the header has "
              + cells
              + "; commas cannot be quoted");
    }
  }

  /** The position of a cell in the line; 0 if there is no such column. */
  private int start(String column) {
    return starts[Math.max(0, columns.indexOf(column))];
  }

  private String cell(String column) {
    int index = columns.indexOf(column);
    return line.substring(starts[index], starts[index + 1] - 1);
  }

  private boolean isEmpty(String column) {
    return columns.indexOf(column) < 0 || cell(column).isBlank();
  }

  private long number(String column, long least) {
    int index = columns.indexOf(column);
    int start = starts[index];
    int end = starts[index + 1] - 1;
    while (start < end && line.charAt(start) == ' ') {
      start++;
    }
    while (start < end && line.charAt(end - 1) == ' ') {
      end--;
    }
    return number(column, start, end, starts[index], least);
  }

  /** Parses a part of the line as a number; {@code position} serves messages. */
  private long number(String what, int start, int end, int position, long least) {
    long value = 0;
    boolean isNumber = start < end;
    for (int i = start; i < end && isNumber; i++) {
      int digit = line.charAt(i) - '0';
      isNumber = 0 <= digit && digit <= 9;
      value = 10 * value + digit;
    }
    if (isNumber && end - start > SURE_DIGITS) {
      Long parsed = Longs.tryParse(line.substring(start, end));
      isNumber = parsed != null;
      value = parsed == null ? 0 : parsed;
    }
    if (!isNumber || value < least) {
      throw malformed(
          position,
          what
              + " is '"
              + BufferTableReader.shorten(line.substring(start, end))
              + "'; write a whole number from "
              + least
              + UP_TO);
    }
    return value;
  }

  /** Returns the first time after a row or gap, for its end as the file gives it. */
  private long upper(int position, long end) {
    if (columns.inclusive() && end == Long.MAX_VALUE) {
      throw malformed(position, "the end is too large; write one below " + Long.MAX_VALUE);
    }
    return columns.inclusive() ? end + 1 : end;
  }

  private ImmutableList<BufferTable.TimeGap> gaps(long lower, long upper, long size) {
    ImmutableList.Builder<BufferTable.TimeGap> gaps = ImmutableList.builder();
    int end = start(BufferTable.GAPS) + cell(BufferTable.GAPS).length();
    long before = lower;
    long empty = 0;
    int start = start(BufferTable.GAPS);
    while (start < end) {
      int stop = find(' ', start, end);
      if (stop > start) {
        BufferTable.TimeGap gap = gap(start, stop, size);
        checkOrder(gap, start, lower, before, upper);
        before = gap.upper();
        empty += gap.hasWindow() ? 0 : gap.upper() - gap.lower();
        gaps.add(gap);
      }
      start = stop + 1;
    }
    if (empty == upper - lower) {
      throw malformed(
          start(BufferTable.GAPS), "the gaps leave nothing of the row; leave the row out");
    }
    return gaps.build();
  }

  private void checkOrder(BufferTable.TimeGap gap, int start, long lower, long before, long upper) {
    if (gap.upper() <= gap.lower()) {
      throw malformed(start, "the gap ends before it begins; leave it out");
    }
    if (gap.lower() < lower || gap.upper() > upper) {
      throw malformed(start, "the gap is not within the row's time; shorten it");
    }
    if (gap.lower() < before) {
      throw malformed(
          start, "the gap begins before the one in front of it ends; sort them and join overlaps");
    }
  }

  /** Parses a gap: {@code lo-hi} or {@code lo-hi@low:high}. */
  private BufferTable.TimeGap gap(int start, int stop, long size) {
    int at = find('@', start, stop);
    int dash = find('-', start, at);
    if (dash == at) {
      throw malformedGap(start, stop);
    }
    long lower = gapNumber(start, dash);
    long upper = upper(start, gapNumber(dash + 1, at));
    if (at == stop) {
      return new BufferTable.TimeGap(lower, upper, 0, 0);
    }
    int colon = find(':', at, stop);
    if (colon == stop) {
      throw malformedGap(start, stop);
    }
    long low = gapNumber(at + 1, colon);
    long high = gapNumber(colon + 1, stop);
    if (low >= high || high > size) {
      throw malformed(
          at + 1,
          "the window is not within the row's bytes, or is empty; write low:high with low below"
              + " high and high up to "
              + size);
    }
    return new BufferTable.TimeGap(lower, upper, low, high);
  }

  /**
   * Returns the position of a character between two positions; the end position if it does not
   * occur.
   */
  private int find(char c, int start, int end) {
    int i = start;
    while (i < end && line.charAt(i) != c) {
      i++;
    }
    return i;
  }

  private long gapNumber(int start, int stop) {
    return number("a number of the gaps", start, stop, start, 0);
  }

  private ProgramException malformedGap(int start, int stop) {
    return malformed(
        start,
        "'"
            + BufferTableReader.shorten(line.substring(start, stop))
            + "' is not a gap; write lower-upper or lower-upper@low:high, separated by spaces");
  }

  private ProgramException malformed(int position, String message) {
    int column = line.codePointCount(0, Math.min(position, line.length())) + 1;
    return BufferTableReader.malformed(number, column, message);
  }
}
