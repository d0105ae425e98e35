package dev.sublet.offset;

import dev.sublet.diag.ProgramException;
import dev.sublet.placement.problem.PlanningProblem;
import dev.sublet.plan.BufferTable;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntToLongFunction;

/**
 * Finds rows of a table whose given offsets make them share bytes. As long as none is found, the
 * byte ranges that are occupied at a point are disjoint, so a new one is compared with one neighbor
 * only. O(n log n) for n intervals.
 */
final class TablePins {

  private static final long BEGINS = 1L << 31;

  private final BufferTable table;
  private final PlanningProblem problem;
  private final IntToLongFunction times;
  private final TreeMap<Long, Integer> intervalAt = new TreeMap<>();

  /**
   * Makes a checker.
   *
   * @param problem the table's, whose buffers are the rows
   * @param times maps the problem's points to the table's times
   */
  TablePins(BufferTable table, PlanningProblem problem, IntToLongFunction times) {
    this.table = table;
    this.problem = problem;
    this.times = times;
  }

  /**
   * Checks all pins.
   *
   * @throws ProgramException at the earliest point at which two rows share a byte
   */
  void check() {
    int[] bufferOf = new int[problem.intervalCount()];
    long[] events = new long[2 * problem.intervalCount()];
    int count = 0;
    for (int buffer = 0; buffer < problem.bufferCount(); buffer++) {
      if (problem.isPinned(buffer)) {
        for (int i = problem.firstInterval(buffer); i < problem.endInterval(buffer); i++) {
          bufferOf[i] = buffer;
          events[count++] = (long) problem.begin(i) << 32 | BEGINS | i;
          events[count++] = (long) problem.end(i) << 32 | i;
        }
      }
    }
    // At one point ends come before beginnings.
    Arrays.sort(events, 0, count);
    for (int event = 0; event < count; event++) {
      int interval = (int) (events[event] & (BEGINS - 1));
      long low = problem.pin(bufferOf[interval]) + problem.low(interval);
      if ((events[event] & BEGINS) == 0) {
        intervalAt.remove(low);
        continue;
      }
      long high = problem.pin(bufferOf[interval]) + problem.high(interval);
      Map.Entry<Long, Integer> before = intervalAt.lowerEntry(high);
      if (before != null) {
        int other = before.getValue();
        if (problem.pin(bufferOf[other]) + problem.high(other) > low) {
          throw clash(
              bufferOf[interval], bufferOf[other], times.applyAsLong(problem.begin(interval)));
        }
      }
      intervalAt.put(low, interval);
    }
  }

  private ProgramException clash(int a, int b, long time) {
    BufferTable.Row later = table.rows().get(Math.max(a, b));
    BufferTable.Row earlier = table.rows().get(Math.min(a, b));
    return TableProblem.malformed(
        table,
        later,
        BufferTable.OFFSET,
        "at its offset "
            + later.offset()
            + " the row shares bytes with that of line "
            + earlier.line()
            + ", at offset "
            + earlier.offset()
            + ", from time "
            + time
            + " on; change one of the offsets, or leave it empty");
  }
}
