package dev.sublet;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.Location;
import dev.sublet.diag.ProgramException;
import dev.sublet.offset.Capacity;
import dev.sublet.offset.OffsetOptions;
import dev.sublet.offset.TablePlanner;
import dev.sublet.placement.problem.Placement;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.Arena;
import dev.sublet.plan.BufferTable;
import dev.sublet.plan.BufferTable.Gap;
import dev.sublet.plan.BufferTable.Row;
import dev.sublet.plan.Interval;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.VariableId;
import dev.sublet.verify.plan.BufferTableValidator;
import java.util.ArrayList;
import java.util.List;

/** Plans tables of buffers, and turns such plans into those of programs. */
public final class TablePlans {

  private TablePlans() {}

  /**
   * Plans the offsets of a table of buffers. The table validator has accepted them.
   *
   * @param table the buffers
   * @param options how to plan; its alignment is that of rows without one, for which the command
   *     line has 1
   * @return the offsets, by row
   * @throws ProgramException if the table contradicts itself, or there is no such planner (exit
   *     code 5 if the arena does not fit the capacity)
   * @throws IllegalStateException if the validator rejects the offsets: a bug of Sublet's
   */
  public static TableResult plan(BufferTable table, OffsetOptions options) {
    DiagnosticLog log = new DiagnosticLog();
    Placement placement = TablePlanner.plan(table, options, log);
    Proofs.demand(
        BufferTableValidator.validate(
            table, options.alignment(), placement.offsets(), placement.arenaBytes()),
        "plan");
    Capacity.check(table, placement, options.capacity());
    return new TableResult(table, placement, log.diagnostics());
  }

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
          Location.nowhere(),
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
        Location.nowhere(), table.position(row, column) + ": " + message);
  }
}
