package dev.sublet.cli.flag;

import com.google.common.math.LongMath;
import dev.sublet.diag.Location;
import dev.sublet.diag.ProgramException;
import dev.sublet.plan.BufferTable;
import dev.sublet.plan.BufferTable.Row;

/** Checks tables of buffers that must already have offsets. */
public final class PlacedTable {

  private PlacedTable() {}

  /**
   * Checks a table.
   *
   * @throws ProgramException if a row has no offset, or the number of bytes does not fit 63 bits
   */
  public static void check(BufferTable table, String sourceName) {
    long sum = 0;
    for (Row row : table.rows()) {
      long end = LongMath.saturatedAdd(Math.max(0, row.offset()), row.size());
      sum = LongMath.saturatedAdd(sum, row.size());
      if (end == Long.MAX_VALUE || sum == Long.MAX_VALUE) {
        throw ProgramException.unreadable(
            Location.file(sourceName),
            table.position(row, BufferTable.SIZE) + ": that is more bytes than can be counted");
      }
      if (!row.hasOffset()) {
        throw ProgramException.unreadable(
            Location.file(sourceName),
            table.position(row, BufferTable.OFFSET)
                + ": the buffer '"
                + row.id()
                + "' has no offset; 'plan' gives it one");
      }
    }
  }
}
