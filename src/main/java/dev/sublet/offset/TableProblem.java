package dev.sublet.offset;

import com.google.common.math.LongMath;
import dev.sublet.diag.ByteText;
import dev.sublet.diag.Location;
import dev.sublet.diag.ProgramException;
import dev.sublet.placement.problem.PlanningProblem;
import dev.sublet.plan.BufferTable;
import java.util.Arrays;

/** Turns a table of buffers into a problem whose buffers are its rows, in order. */
final class TableProblem {

  /**
   * The greatest sum of sizes, alignments and the highest offset, so that adding them up never
   * overflows.
   */
  private static final long MOST_BYTES = 1L << 62;

  private final BufferTable table;
  private final long alignment;

  /** The largest time span whose times are used as points; longer spans are replaced by ranks. */
  private static final long MOST_POINTS = 1L << 24;

  private final long[] times;

  private TableProblem(BufferTable table, long alignment) {
    this.table = table;
    this.alignment = alignment;
    this.times = times(table);
  }

  /**
   * Returns the problem of a table. Its points are the table's times, counted from the first, or
   * their ranks if they are too far apart. O(n log n) for n rows and gaps.
   *
   * @param alignment of the rows that give none
   * @throws ProgramException if a pin is no multiple of its alignment, if pins contradict each
   *     other, or if all rows together are too large; the message begins with line and character
   */
  static PlanningProblem of(BufferTable table, long alignment) {
    TableProblem problem = new TableProblem(table, alignment);
    problem.checkAlignments();
    problem.checkSum();
    PlanningProblem result = problem.build();
    new TablePins(table, result, problem::time).check();
    return result;
  }

  static ProgramException malformed(
      BufferTable table, BufferTable.Row row, String column, String message) {
    return ProgramException.unreadable(
        Location.nowhere(), table.position(row, column) + ": " + message);
  }

  /** Returns all times at which a row or a gap begins or ends, once each, ascending. */
  private static long[] times(BufferTable table) {
    int count = 0;
    for (BufferTable.Row row : table.rows()) {
      count += 2 + 2 * row.gaps().size();
    }
    long[] times = new long[count];
    int next = 0;
    for (BufferTable.Row row : table.rows()) {
      times[next++] = row.lower();
      times[next++] = row.upper();
      for (BufferTable.TimeGap gap : row.gaps()) {
        times[next++] = gap.lower();
        times[next++] = gap.upper();
      }
    }
    Arrays.sort(times);
    int distinct = 0;
    for (int i = 0; i < count; i++) {
      if (i == 0 || times[i] != times[i - 1]) {
        times[distinct++] = times[i];
      }
    }
    return Arrays.copyOf(times, distinct);
  }

  private void checkAlignments() {
    for (BufferTable.Row row : table.rows()) {
      long own = row.alignmentOr(alignment);
      if (row.hasOffset() && row.offset() % own != 0) {
        long remainder = row.offset() % own;
        throw malformed(
            table,
            row,
            BufferTable.OFFSET,
            "the offset "
                + row.offset()
                + " is not a multiple of the alignment "
                + own
                + "; write "
                + (row.offset() - remainder)
                + ", or leave it empty");
      }
    }
  }

  private void checkSum() {
    long sum = 0;
    long highest = 0;
    for (BufferTable.Row row : table.rows()) {
      long padded = LongMath.saturatedAdd(row.size(), row.alignmentOr(alignment));
      sum = LongMath.saturatedAdd(sum, padded);
      highest = Math.max(highest, row.offset());
      if (LongMath.saturatedAdd(sum, highest) > MOST_BYTES) {
        throw malformed(
            table,
            row,
            BufferTable.SIZE,
            "up to this row, sizes, alignments and the highest offset add up to more than "
                + ByteText.inWords(MOST_BYTES)
                + "; make them smaller");
      }
    }
  }

  private PlanningProblem build() {
    PlanningProblem.Builder problem = PlanningProblem.builder(alignment);
    for (BufferTable.Row row : table.rows()) {
      problem.addBuffer(
          row.size(),
          row.alignmentOr(alignment),
          row.hasOffset() ? row.offset() : PlanningProblem.NOT_PINNED);
      long begin = row.lower();
      for (BufferTable.TimeGap gap : row.gaps()) {
        if (begin < gap.lower()) {
          problem.addInterval(point(begin), point(gap.lower()));
        }
        if (gap.hasWindow()) {
          problem.addInterval(point(gap.lower()), point(gap.upper()), gap.low(), gap.high());
        }
        begin = gap.upper();
      }
      if (begin < row.upper()) {
        problem.addInterval(point(begin), point(row.upper()));
      }
    }
    return problem.build();
  }

  /**
   * Returns the point of a time. Times are points where possible, because some planners use the
   * length of lifetimes.
   */
  private int point(long time) {
    return areRanks(times) ? Arrays.binarySearch(times, time) : (int) (time - times[0]);
  }

  private static boolean areRanks(long[] times) {
    return times.length > 0 && times[times.length - 1] - times[0] > MOST_POINTS;
  }

  private long time(int point) {
    return areRanks(times) ? times[point] : times[0] + point;
  }
}
