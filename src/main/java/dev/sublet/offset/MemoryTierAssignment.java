package dev.sublet.offset;

import com.google.common.collect.ImmutableList;
import com.google.common.math.LongMath;
import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.Location;
import dev.sublet.placement.problem.BufferOrder;
import dev.sublet.placement.problem.Placement;
import dev.sublet.placement.problem.PlanningProblem;
import dev.sublet.plan.Pool;
import java.util.Arrays;
import java.util.Comparator;

/**
 * Spreads the buffers of a problem over several memories, fast ones first, so that the fast ones
 * serve as much traffic as they can.
 *
 * <p>A buffer's benefit is its {@link WebTraffic}. Its cost is its bytes times the time for which
 * they are occupied. The buffers are sorted by descending benefit per cost (ties: greater benefit,
 * then index) and offered to the first memory, see {@link KnapsackFill}. The buffers that it does
 * not take are offered to the second memory, and so on; the last memory gets the rest.
 *
 * <p>If the rest is too large for the last memory, the memories are filled from the last to the
 * first instead, with the buffers of the least benefit first, and the first memory gets the rest.
 * If that does not fit either, the first result stands, with a last arena that is larger than its
 * memory.
 *
 * <p>This is a greedy method for a knapsack whose constraint is a placement: it does not find the
 * greatest traffic possible. O(memories × log buffers) placements.
 */
final class MemoryTierAssignment {

  /**
   * The way to place buffers in one memory.
   *
   * @param withGaps whether buffers may be put into gaps that the planner leaves
   * @param placer places some of the buffers, to find out how many fit
   * @param placerOfRest places the rest, in the memory that is filled last
   */
  record Filling(boolean withGaps, KnapsackFill.Placer placer, KnapsackFill.Placer placerOfRest) {}

  private final PlanningProblem problem;
  private final ImmutableList<Pool> pools;
  private final Filling filling;

  /** The buffers that are in no memory yet, the best first. */
  private int[] left;

  private final int[] poolOfBuffer;
  private final long[] offsets;
  private final long[] bytes;
  private long nodes;

  private MemoryTierAssignment(
      PlanningProblem problem, int[] order, ImmutableList<Pool> pools, Filling filling) {
    this.problem = problem;
    this.pools = pools;
    this.filling = filling;
    this.left = order.clone();
    this.poolOfBuffer = new int[problem.bufferCount()];
    this.offsets = new long[problem.bufferCount()];
    this.bytes = new long[pools.size()];
  }

  /**
   * Assigns and places all buffers.
   *
   * @param traffic of each buffer
   * @param pools the memories, fast ones first; only the last may be unlimited
   * @param filling the way to place buffers in one memory
   */
  static MemoryTierAssignment assign(
      PlanningProblem problem,
      long[] traffic,
      ImmutableList<Pool> pools,
      Filling filling,
      DiagnosticLog log) {
    int[] order = byDensity(problem, traffic);
    MemoryTierAssignment forward = new MemoryTierAssignment(problem, order, pools, filling);
    int last = pools.size() - 1;
    for (int pool = 0; pool < last; pool++) {
      forward.fill(pool);
    }
    forward.fillWithRest(last);
    if (forward.fits(last)) {
      return forward;
    }
    MemoryTierAssignment backward =
        new MemoryTierAssignment(problem, reversed(order), pools, filling);
    for (int pool = last; pool > 0; pool--) {
      backward.fill(pool);
    }
    backward.fillWithRest(0);
    MemoryTierAssignment result = backward.fits(0) ? backward : forward;
    result.nodes = forward.nodes + backward.nodes;
    if (result == backward) {
      log.note(
          Location.nowhere(),
          "pool '"
              + pools.get(last).name()
              + "' cannot hold what the others leave; pools are filled from the last to the first");
    }
    return result;
  }

  /** The memory of a buffer. */
  int pool(int buffer) {
    return poolOfBuffer[buffer];
  }

  /** The offset of a buffer in the arena of its memory. */
  long offset(int buffer) {
    return offsets[buffer];
  }

  /** The bytes of the arena in a memory. */
  long bytes(int pool) {
    return bytes[pool];
  }

  /** The number of nodes that searches visited. */
  long nodes() {
    return nodes;
  }

  private boolean fits(int pool) {
    return bytes[pool] <= pools.get(pool).capacity();
  }

  private void fill(int pool) {
    KnapsackFill filled =
        KnapsackFill.fill(
            problem, left, pools.get(pool).capacity(), filling.withGaps(), filling.placer());
    nodes += filled.nodes();
    int count = 0;
    for (int buffer : left) {
      if (filled.isIn(buffer)) {
        put(buffer, pool, filled.offset(buffer));
      } else {
        left[count++] = buffer;
      }
    }
    left = Arrays.copyOf(left, count);
  }

  private void fillWithRest(int pool) {
    Arrays.sort(left);
    Placement placement = filling.placerOfRest().place(left);
    nodes += placement.nodes();
    for (int i = 0; i < left.length; i++) {
      put(left[i], pool, placement.offsets().get(i));
    }
    left = new int[0];
  }

  private void put(int buffer, int pool, long offset) {
    poolOfBuffer[buffer] = pool;
    offsets[buffer] = offset;
    bytes[pool] = Math.max(bytes[pool], Math.addExact(offset, problem.size(buffer)));
  }

  private static int[] byDensity(PlanningProblem problem, long[] traffic) {
    double[] density = new double[problem.bufferCount()];
    for (int buffer = 0; buffer < density.length; buffer++) {
      density[buffer] = traffic[buffer] / cost(problem, buffer);
    }
    return BufferOrder.sort(
        problem,
        Comparator.<Integer>comparingDouble(buffer -> density[buffer])
            .thenComparingLong(buffer -> traffic[buffer])
            .reversed());
  }

  /** The bytes that a buffer occupies, summed over points. */
  private static double cost(PlanningProblem problem, int buffer) {
    double cost = 0;
    for (int i = problem.firstInterval(buffer); i < problem.endInterval(buffer); i++) {
      double points = (double) problem.end(i) - problem.begin(i);
      cost += points * problem.bytes(i);
    }
    return cost;
  }

  private static int[] reversed(int[] order) {
    int[] reversed = new int[order.length];
    Arrays.setAll(reversed, i -> order[order.length - 1 - i]);
    return reversed;
  }

  /** The traffic of the buffers in each memory. */
  static long[] sumByPool(MemoryTierAssignment assignment, long[] traffic) {
    long[] sums = new long[assignment.bytes.length];
    for (int buffer = 0; buffer < traffic.length; buffer++) {
      int pool = assignment.pool(buffer);
      sums[pool] = LongMath.saturatedAdd(sums[pool], traffic[buffer]);
    }
    return sums;
  }
}
