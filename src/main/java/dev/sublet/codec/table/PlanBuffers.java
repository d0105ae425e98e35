package dev.sublet.codec.table;

import com.google.common.collect.ImmutableList;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.Location;
import dev.sublet.diag.ProgramException;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.Arena;
import dev.sublet.plan.BufferTable;
import dev.sublet.plan.ExecutionOrder;
import dev.sublet.plan.MemoryPlan;
import java.util.ArrayList;
import java.util.List;

/**
 * Prints the first arena of a plan as the CSV of MiniMalloc, which {@link BufferTableReader} and
 * other planners read: one row per {@link TiedBuffer}; times are program points.
 *
 * <p>Every valid solution of the table is a right plan for the program, if the allocations of a row
 * move together; {@link TiedBuffers} gives the reason. A planner that does not support gaps treats
 * the rows as occupied all the time, which is right as well.
 *
 * <p>A plan for the parallel order is refused, because its times do not determine which buffers may
 * share bytes. A plan in which loops move an allocation is refused, because a row has only one
 * offset.
 */
public final class PlanBuffers {

  private final MemoryPlan plan;

  /** The parts of the plan that the table omits, with counts. */
  private final List<String> losses = new ArrayList<>();

  private PlanBuffers(MemoryPlan plan) {
    this.plan = plan;
  }

  /**
   * Returns the table. Deterministic; the cost is that of {@link TiedBuffers}.
   *
   * @param withOffsets whether rows contain their offsets, which pins them for a planner
   * @param log gets a warning about omitted parts, and a note about tied allocations
   * @throws ProgramException if the plan cannot be a table
   */
  public static String print(MemoryPlan plan, boolean withOffsets, DiagnosticLog log) {
    if (plan.order() == ExecutionOrder.PARALLEL) {
      throw ProgramException.unreadable(
          Location.nowhere(),
          "in the parallel order, times do not say which buffers may share bytes; plan with --order"
              + " sequential");
    }
    PlanBuffers table = new PlanBuffers(plan);
    int arena = table.arena();
    ImmutableList<TiedBuffer> buffers = table.buffers(arena);
    table.report(buffers, log);
    return table.print(buffers, alignment(plan, arena), withOffsets);
  }

  /** Returns the buffers of the table, by row. */
  static ImmutableList<TiedBuffer> buffers(MemoryPlan plan) {
    PlanBuffers table = new PlanBuffers(plan);
    return table.buffers(table.arena());
  }

  /**
   * The first arena with an allocation that is not a step arena; 0 if the plan has no allocations.
   */
  private int arena() {
    int first = plan.arenas().size();
    for (Allocation allocation : plan.allocations()) {
      if (!plan.arenas().get(allocation.arena()).isStep()) {
        first = Math.min(first, allocation.arena());
      }
    }
    if (first == plan.arenas().size() && !plan.allocations().isEmpty()) {
      throw ProgramException.unreadable(
          Location.nowhere(),
          "nothing of the plan can be a table of buffers: everything is in a step arena");
    }
    return plan.allocations().isEmpty() ? 0 : first;
  }

  private static long alignment(MemoryPlan plan, int arena) {
    return arena < plan.arenas().size() ? Math.max(1, plan.arenas().get(arena).alignment()) : 1;
  }

  private ImmutableList<TiedBuffer> buffers(int arena) {
    List<Allocation> own = new ArrayList<>();
    int elsewhere = 0;
    int steps = 0;
    int empty = 0;
    for (Allocation allocation : plan.allocations()) {
      Arena in = plan.arenas().get(allocation.arena());
      if (in.isStep()) {
        steps++;
      } else if (allocation.arena() != arena) {
        elsewhere++;
      } else if (allocation.views().isPresent()) {
        throw ProgramException.unreadable(
            Location.nowhere(),
            "'"
                + PlanNames.encode(allocation.variable().name())
                + "' is moved by loops, but in a table a buffer has one offset; plan with --loops"
                + " copy");
      } else if (allocation.bytes() == 0 || allocation.live().isEmpty()) {
        empty++;
      } else {
        own.add(allocation);
      }
    }
    addLoss(elsewhere, "1 allocation of another arena", "%s allocations of other arenas");
    addLoss(steps, "1 allocation of a step arena", "%s allocations of step arenas");
    addLoss(empty, "1 allocation that is never there", "%s allocations that are never there");
    addLoss(plan.unplanned().size(), "1 unplanned variable", "%s unplanned variables");
    return TiedBuffers.of(own, plan.aliases(), alignment(plan, arena));
  }

  private void addLoss(int count, String one, String several) {
    if (count > 0) {
      losses.add(count == 1 ? one : several.replace("%s", String.valueOf(count)));
    }
  }

  private void report(ImmutableList<TiedBuffer> buffers, DiagnosticLog log) {
    if (!losses.isEmpty()) {
      log.warn(
          Location.nowhere(),
          "a table of buffers holds the allocations of one arena, without "
              + String.join(", ", losses));
    }
    int tied = 0;
    int members = 0;
    for (TiedBuffer buffer : buffers) {
      tied += buffer.members().size() > 1 ? 1 : 0;
      members += buffer.members().size() > 1 ? buffer.members().size() : 0;
    }
    if (tied > 0) {
      log.note(
          Location.nowhere(),
          members
              + " allocations that must keep their distances are "
              + (tied == 1 ? "1 buffer" : tied + " buffers")
              + ", named after the first of each");
    }
  }

  private String print(ImmutableList<TiedBuffer> buffers, long alignment, boolean withOffsets) {
    List<String> gaps = new ArrayList<>();
    boolean hasGaps = false;
    for (TiedBuffer buffer : buffers) {
      gaps.add(gaps(buffer));
      hasGaps |= !gaps.get(gaps.size() - 1).isEmpty();
    }
    StringBuilder text = new StringBuilder();
    text.append(BufferTable.ID).append(',').append(BufferTable.LOWER);
    text.append(',').append(BufferTable.UPPER).append(',').append(BufferTable.SIZE);
    text.append(alignment > 1 ? "," + BufferTable.ALIGNMENT : "");
    text.append(withOffsets ? "," + BufferTable.OFFSET : "");
    text.append(hasGaps ? "," + BufferTable.GAPS : "").append('\n');
    BufferIds ids = new BufferIds(plan);
    for (int i = 0; i < buffers.size(); i++) {
      TiedBuffer buffer = buffers.get(i);
      text.append(ids.next(buffer.members().get(0)));
      text.append(',').append(buffer.lower()).append(',').append(buffer.upper());
      text.append(',').append(buffer.size());
      text.append(alignment > 1 ? "," + alignment : "");
      text.append(withOffsets ? "," + buffer.base() : "");
      text.append(hasGaps ? "," + gaps.get(i) : "").append('\n');
    }
    return text.toString();
  }

  /**
   * Returns the gaps of a buffer: the times at which it does not occupy all its bytes, with the
   * bytes that it occupies then.
   */
  private static String gaps(TiedBuffer buffer) {
    StringBuilder gaps = new StringBuilder();
    int last = buffer.lower();
    for (TiedBuffer.Segment segment : buffer.segments()) {
      if (last < segment.begin()) {
        gaps.append(' ').append(last).append('-').append(segment.begin());
      }
      long low = segment.low() - buffer.base();
      long high = segment.high() - buffer.base();
      if (low > 0 || high < buffer.size()) {
        gaps.append(' ').append(segment.begin()).append('-').append(segment.end());
        gaps.append('@').append(low).append(':').append(high);
      }
      last = segment.end();
    }
    return gaps.isEmpty() ? "" : gaps.substring(1);
  }
}
