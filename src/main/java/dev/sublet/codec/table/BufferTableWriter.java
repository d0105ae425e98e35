package dev.sublet.codec.table;

import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.plan.BufferTable;
import java.nio.charset.StandardCharsets;

/** Writes tables of buffers with their offsets. Equal tables always give equal bytes. */
public final class BufferTableWriter {

  private BufferTableWriter() {}

  /**
   * Returns the table as it was read, with an offset in every row: in its column of offsets, or in
   * a new last column. Rows with a given offset stay as they were. O(size).
   *
   * @param offsets the offsets, by row; they must equal the offsets that rows already have
   */
  public static byte[] toBytes(BufferTable table, ImmutableLongArray offsets) {
    int column = table.indexOf(BufferTable.OFFSET);
    StringBuilder text = new StringBuilder(table.header());
    text.append(column < 0 ? "," + BufferTable.OFFSET : "").append(table.lineEnd());
    for (int i = 0; i < table.rows().size(); i++) {
      BufferTable.Row row = table.rows().get(i);
      if (column < 0) {
        text.append(row.text()).append(',').append(offsets.get(i));
      } else if (row.hasOffset()) {
        text.append(row.text());
      } else {
        appendFilled(text, row.text(), column, offsets.get(i));
      }
      text.append(table.lineEnd());
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static void appendFilled(StringBuilder text, String line, int column, long offset) {
    int start = 0;
    for (int i = 0; i < column; i++) {
      start = line.indexOf(',', start) + 1;
    }
    int comma = line.indexOf(',', start);
    text.append(line, 0, start).append(offset);
    text.append(line, comma < 0 ? line.length() : comma, line.length());
  }
}
