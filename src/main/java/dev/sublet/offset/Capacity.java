package dev.sublet.offset;

import com.google.common.collect.ImmutableList;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.diag.Diagnostic;
import dev.sublet.diag.Location;
import dev.sublet.diag.ProgramException;
import dev.sublet.placement.problem.Placement;
import dev.sublet.plan.Arena;
import dev.sublet.plan.BufferTable;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.plan.Pool;
import dev.sublet.program.Names;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks that arenas fit a capacity. If one does not, the message states by how much it is too
 * large, whether any plan could fit, and where the peak is.
 */
public final class Capacity {

  /** The greatest number of variables that a message names at the peak. */
  private static final int MOST_NAMED = 5;

  private Capacity() {}

  /**
   * Checks each arena of a plan. O(n log n) for n intervals.
   *
   * @param graph of the program that the plan is for
   * @param capacity of every arena; an arena in a pool must also fit its pool's capacity
   * @throws ProgramException with exit code 5 about the first arena that does not fit
   */
  public static void check(ControlFlowGraph graph, MemoryPlan plan, long capacity) {
    for (int i = 0; i < plan.arenas().size(); i++) {
      Arena arena = plan.arenas().get(i);
      if (arena.bytes() > Math.min(capacity, arena.capacity())) {
        PeakSweep.Peak peak = PeakSweep.find(ArenaPeak.stretches(plan, i));
        int node = (int) Math.max(0, Math.min(peak.begin() / 2, graph.nodeCount() - 1L));
        throw infeasible(
            excess(plan, arena, capacity)
                + "; the peak, "
                + peak.bytes()
                + " bytes, is at "
                + graph.operation(node).place()
                + ", where "
                + names(peak, a -> Names.display(plan.allocations().get(a).variable().name())));
      }
    }
  }

  /**
   * Checks the arena of a table. O(n log n) for n rows and gaps.
   *
   * @throws ProgramException with exit code 5 if it does not fit
   */
  public static void check(BufferTable table, Placement placement, long capacity) {
    if (placement.arenaBytes() > capacity) {
      PeakSweep.Peak peak = PeakSweep.find(stretches(table, placement));
      throw infeasible(
          "the arena"
              + excess(placement.arenaBytes(), placement.lowerBound(), capacity)
              + "; the peak, "
              + peak.bytes()
              + " bytes, is in ["
              + peak.begin()
              + ", "
              + peak.end()
              + "), where "
              + names(peak, row -> table.rows().get(row).id()));
    }
  }

  private static ProgramException infeasible(String message) {
    return ProgramException.of(Diagnostic.Kind.INFEASIBLE, Location.nowhere(), message);
  }

  /**
   * Words how far an arena exceeds its capacity. For a pool it mentions no lower bound: other
   * buffers could be in the pool, so the bound of this plan's arena proves nothing.
   */
  private static String excess(MemoryPlan plan, Arena arena, long capacity) {
    if (arena.pool().isPresent()) {
      Pool pool = arena.pool().get();
      return "pool '"
          + pool.name()
          + "' needs "
          + arena.bytes()
          + " bytes, "
          + (arena.bytes() - pool.capacity())
          + " more than its capacity of "
          + pool.capacity()
          + (plan.arenas().size() > 1 ? ", for what no other pool took" : "");
    }
    if (arena.isStep()) {
      return "the arena of each iteration of block "
          + arena.stepOfBlock()
          + excess(arena.bytes(), arena.lowerBound(), capacity);
    }
    String name = plan.arenas().size() == 1 ? "the arena" : "the arena on " + arena.place();
    return name + excess(arena.bytes(), arena.lowerBound(), capacity);
  }

  private static String excess(long bytes, long lowerBound, long capacity) {
    return " needs "
        + bytes
        + " bytes, "
        + (bytes - capacity)
        + " more than the capacity of "
        + capacity
        + (lowerBound > capacity
            ? "; no plan can fit: none needs less than " + lowerBound
            : "; that is the best found, and the lower bound is " + lowerBound);
  }

  private interface NameOf {
    String owner(int index);
  }

  private static String names(PeakSweep.Peak peak, NameOf nameOf) {
    List<String> names = new ArrayList<>();
    ImmutableList<PeakSweep.Stretch> stretches = peak.stretches();
    for (int i = 0; i < Math.min(stretches.size(), MOST_NAMED); i++) {
      PeakSweep.Stretch stretch = stretches.get(i);
      long bytes = stretch.high() - stretch.low();
      names.add("'" + nameOf.owner(stretch.owner()) + "' (" + bytes + ")");
    }
    int more = stretches.size() - names.size();
    String verb = stretches.size() == 1 ? " is live" : " are live";
    return String.join(", ", names) + (more > 0 ? " and " + more + " more" : "") + verb;
  }

  private static List<PeakSweep.Stretch> stretches(BufferTable table, Placement placement) {
    List<PeakSweep.Stretch> stretches = new ArrayList<>();
    for (int i = 0; i < table.rows().size(); i++) {
      BufferTable.Row row = table.rows().get(i);
      long offset = placement.offsets().get(i);
      long begin = row.lower();
      for (BufferTable.Gap gap : row.gaps()) {
        if (begin < gap.lower()) {
          stretches.add(new PeakSweep.Stretch(i, begin, gap.lower(), offset, offset + row.size()));
        }
        if (gap.hasWindow()) {
          stretches.add(
              new PeakSweep.Stretch(
                  i, gap.lower(), gap.upper(), offset + gap.low(), offset + gap.high()));
        }
        begin = gap.upper();
      }
      if (begin < row.upper()) {
        stretches.add(new PeakSweep.Stretch(i, begin, row.upper(), offset, offset + row.size()));
      }
    }
    return stretches;
  }
}
