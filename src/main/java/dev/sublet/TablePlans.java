package dev.sublet;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.Place;
import dev.sublet.diag.ProgramException;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.Arena;
import dev.sublet.plan.BufferTable;
import dev.sublet.plan.BufferTable.Gap;
import dev.sublet.plan.BufferTable.Row;
import dev.sublet.plan.Interval;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.VariableId;
import java.util.ArrayList;
import java.util.List;

/** Tables of buffers with offsets as plans, for the forms that both can be written in. */
public final class TablePlans {

  private TablePlans() {}

  /**
   * The plan of one arena, whose alignment is the largest of a row. The buffers are variables of
   * block 0, times are points. O(rows + gaps).
   *
   * @param alignment of rows that give none
   * @param offsets by row
   * @param log gets a warning if rows occupy only some of their bytes at times
   * @throws ProgramException if a time does not fit 31 bits, or a byte 63
   */
  public static MemoryPlan of(
      BufferTable table, long alignment, ImmutableLongArray offsets, DiagnosticLog log) {
    ImmutableList.Builder<Allocation> allocations = ImmutableList.builder();
    long bytes = 0;
    long largest = 1;
    int windows = 0;
    for (int i = 0; i < table.rows().size(); i++) {
      Row row = table.rows().get(i);
      if (row.upper() > Integer.MAX_VALUE) {
        throw refusal(table, row, BufferTable.UPPER, "only times up to 2147483647 can be shown");
      }
      if (offsets.get(i) > Long.MAX_VALUE - row.size()) {
        throw refusal(table, row, BufferTable.SIZE, "that is more bytes than can be counted");
      }
      bytes = Math.max(bytes, offsets.get(i) + row.size());
      largest = Math.max(largest, row.alignmentOr(alignment));
      windows += row.gaps().stream().anyMatch(Gap::hasWindow) ? 1 : 0;
      allocations.add(
          new Allocation(
              new VariableId(0, row.id()), /* arena= */ 0, offsets.get(i), row.size(), live(row)));
    }
    if (windows > 0) {
      log.warn(
          Place.nowhere(),
          "rows that at times occupy only some of their bytes ("
              + windows
              + ") occupy all of them here");
    }
    return new MemoryPlan(
        /* programSha256= */ "",
        "a table of buffers",
        /* batch= */ 1,
        ImmutableList.of(new Arena("buffers", bytes, /* lowerBound= */ 0, largest)),
        allocations.build(),
        /* unplanned= */ ImmutableList.of(),
        /* aliases= */ ImmutableList.of());
  }

  /** The variables of such plans, by row. */
  public static ImmutableList<VariableId> tensors(BufferTable table) {
    ImmutableList.Builder<VariableId> tensors = ImmutableList.builder();
    for (Row row : table.rows()) {
      tensors.add(new VariableId(0, row.id()));
    }
    return tensors.build();
  }

  /** A row's time without the gaps in which it occupies nothing. */
  private static ImmutableList<Interval> live(Row row) {
    List<Interval> live = new ArrayList<>();
    int begin = (int) row.lower();
    for (Gap gap : row.gaps()) {
      if (!gap.hasWindow()) {
        if (begin < gap.lower()) {
          live.add(new Interval(begin, (int) gap.lower()));
        }
        begin = (int) gap.upper();
      }
    }
    if (begin < row.upper()) {
      live.add(new Interval(begin, (int) row.upper()));
    }
    return ImmutableList.copyOf(live);
  }

  private static ProgramException refusal(
      BufferTable table, Row row, String column, String message) {
    return ProgramException.unreadable(
        Place.nowhere(), table.position(row, column) + ": " + message);
  }
}
