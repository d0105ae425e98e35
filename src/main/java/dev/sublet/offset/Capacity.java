package dev.sublet.offset;

import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.diag.ByteText;
import dev.sublet.diag.ProgramException;
import dev.sublet.placement.problem.Placement;
import dev.sublet.plan.Arena;
import dev.sublet.plan.BufferTable;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.plan.Pool;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Checks that arenas fit a capacity. If one does not, the message states how much too large it is
 * and whether any plan could fit, and the details list the contents of the arena at its peak.
 */
public final class Capacity {

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
        PeakTable peak = PeakTable.of(plan, i, Optional.of(graph), allocation -> "");
        throw ProgramException.infeasible(excess(plan, arena, capacity), peak.lines());
      }
    }
  }

  /**
   * Whether an arena does not fit, but might in a better plan.
   *
   * @param capacity of every arena; an arena in a pool must also fit its pool's capacity
   */
  static boolean mightFit(MemoryPlan plan, long capacity) {
    boolean fits = true;
    for (Arena arena : plan.arenas()) {
      long most = Math.min(capacity, arena.capacity());
      if (arena.pool().isEmpty() && arena.lowerBound() > most) {
        return false;
      }
      fits &= arena.bytes() <= most;
    }
    return !fits;
  }

  /**
   * Checks the arena of a table. O(n log n) for n rows and gaps.
   *
   * @throws ProgramException with exit code 5 if it does not fit
   */
  public static void check(BufferTable table, Placement placement, long capacity) {
    if (placement.arenaBytes() > capacity) {
      PeakTable peak = PeakTable.of(table, PeakSweep.find(segments(table, placement)));
      throw ProgramException.infeasible(
          "too large: the arena" + excess(placement.arenaBytes(), placement.lowerBound(), capacity),
          peak.lines());
    }
  }

  /**
   * Words how far an arena exceeds its capacity. For a pool it mentions no lower bound: other
   * buffers could be in the pool, so the bound of this plan's arena proves nothing.
   */
  private static String excess(MemoryPlan plan, Arena arena, long capacity) {
    if (arena.pool().isPresent()) {
      Pool pool = arena.pool().get();
      return "too large: pool '"
          + pool.name()
          + "'"
          + needs(arena.bytes(), pool.capacity())
          + (plan.arenas().size() > 1 ? ", for the variables that no other pool took" : "");
    }
    String name = plan.arenas().size() == 1 ? "the arena" : "the arena on " + arena.place();
    if (arena.isStep()) {
      name = "the arena of each iteration of block " + arena.stepOfBlock();
    }
    return "too large: " + name + excess(arena.bytes(), arena.lowerBound(), capacity);
  }

  private static String excess(long bytes, long lowerBound, long capacity) {
    return needs(bytes, capacity)
        + (lowerBound > capacity
            ? "; no plan can fit: none needs less than " + ByteText.exact(lowerBound)
            : "; that is the best found, and the lower bound is " + ByteText.exact(lowerBound));
  }

  private static String needs(long bytes, long capacity) {
    return " needs "
        + ByteText.exact(bytes)
        + ", "
        + ByteText.times(bytes, capacity)
        + " the capacity of "
        + ByteText.exact(capacity);
  }

  private static List<PeakSweep.Segment> segments(BufferTable table, Placement placement) {
    List<PeakSweep.Segment> segments = new ArrayList<>();
    for (int i = 0; i < table.rows().size(); i++) {
      BufferTable.Row row = table.rows().get(i);
      long offset = placement.offsets().get(i);
      long begin = row.lower();
      for (BufferTable.TimeGap gap : row.gaps()) {
        if (begin < gap.lower()) {
          segments.add(new PeakSweep.Segment(i, begin, gap.lower(), offset, offset + row.size()));
        }
        if (gap.hasWindow()) {
          segments.add(
              new PeakSweep.Segment(
                  i, gap.lower(), gap.upper(), offset + gap.low(), offset + gap.high()));
        }
        begin = gap.upper();
      }
      if (begin < row.upper()) {
        segments.add(new PeakSweep.Segment(i, begin, row.upper(), offset, offset + row.size()));
      }
    }
    return segments;
  }
}
