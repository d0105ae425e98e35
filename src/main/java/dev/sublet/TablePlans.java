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
import dev.sublet.plan.BufferTable.Row;
import dev.sublet.plan.BufferTable.TimeGap;
import dev.sublet.plan.Interval;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.program.VariableId;
import dev.sublet.verify.plan.BufferTableValidator;
import java.util.ArrayList;
import java.util.List;

/** Plans tables of buffers, and converts such plans to the form of a {@link MemoryPlan}. */
public final class TablePlans {

  private TablePlans() {}

  /**
   * Plans the offsets of a table of buffers. The table validator has accepted the result.
   *
   * @param table the buffers
   * @param options the planner and its options; the alignment applies to rows without an alignment
   *     of their own (on the command line it is 1)
   * @return the offsets, by row
   * @throws ProgramException if the table contradicts itself, or there is no such planner (exit
   *     code 5 if the arena does not fit the capacity)
   * @throws IllegalStateException if the validator rejects the offsets: a bug of Sublet
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
   * Returns the offsets of a table as a plan of one arena, aligned to the largest alignment of any
   * row. Each buffer becomes a variable of block 0, and each time a point. O(rows + gaps).
   *
   * @param alignment the alignment of rows without one
   * @param offsets the offsets, by row
   * @param log gets a warning if a row occupies only some of its bytes at some times
   * @throws ProgramException if a time does not fit 31 bits, or the end of a buffer 63 bits
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
      windows += row.gaps().stream().anyMatch(TimeGap::hasWindow) ? 1 : 0;
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

  /** The variables of the plan that {@link #of} returns, by row. */
  public static ImmutableList<VariableId> tensors(BufferTable table) {
    ImmutableList.Builder<VariableId> tensors = ImmutableList.builder();
    for (Row row : table.rows()) {
      tensors.add(new VariableId(0, row.id()));
    }
    return tensors.build();
  }

  /** The times of a row without the gaps in which it occupies no bytes. */
  private static ImmutableList<Interval> live(Row row) {
    List<Interval> live = new ArrayList<>();
    int begin = (int) row.lower();
    for (TimeGap gap : row.gaps()) {
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
