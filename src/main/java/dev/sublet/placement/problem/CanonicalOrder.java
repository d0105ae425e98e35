package dev.sublet.placement.problem;

import com.google.common.primitives.ImmutableLongArray;
import java.util.Arrays;
import java.util.Comparator;

/**
 * A problem with its buffers in an order that depends on nothing but the buffers, so that a planner
 * gives the same arena however the problem is written down.
 *
 * <p>Buffers are sorted by their live ranges, sizes, alignments and pins. Buffers that are equal in
 * all of these can be exchanged, so their order makes no difference.
 */
public final class CanonicalOrder {

  private final PlanningProblem sorted;

  /** By position in the sorted problem: the buffer of the original problem. */
  private final int[] order;

  private CanonicalOrder(PlanningProblem sorted, int[] order) {
    this.sorted = sorted;
    this.order = order;
  }

  /** Sorts the buffers of a problem. O(n log n) comparisons for n buffers. */
  public static CanonicalOrder of(PlanningProblem problem) {
    int[] order = order(problem);
    PlanningProblem.Builder builder = PlanningProblem.builder(problem.alignment());
    for (int buffer : order) {
      problem.copyTo(builder, buffer);
    }
    return new CanonicalOrder(builder.build(), order);
  }

  private static int[] order(PlanningProblem problem) {
    long[] keys = new long[problem.bufferCount()];
    for (int b = 0; b < keys.length; b++) {
      keys[b] = (long) problem.firstPoint(b) << 32 | b;
    }
    Arrays.sort(keys);
    Integer[] order = new Integer[keys.length];
    for (int i = 0; i < keys.length; i++) {
      order[i] = (int) keys[i];
    }
    // Only the buffers that begin together are compared in full.
    Comparator<Integer> comparator = (a, b) -> compare(problem, a, b);
    int from = 0;
    for (int to = 1; to <= keys.length; to++) {
      if (to == keys.length || keys[to] >> 32 != keys[from] >> 32) {
        Arrays.sort(order, from, to, comparator);
        from = to;
      }
    }
    return Arrays.stream(order).mapToInt(Integer::intValue).toArray();
  }

  private static int compare(PlanningProblem problem, int a, int b) {
    int result = Integer.compare(problem.lastPoint(a), problem.lastPoint(b));
    result = result != 0 ? result : Long.compare(problem.size(a), problem.size(b));
    result = result != 0 ? result : Long.compare(problem.alignment(a), problem.alignment(b));
    result = result != 0 ? result : Long.compare(problem.pin(a), problem.pin(b));
    return result != 0 ? result : compareIntervals(problem, a, b);
  }

  private static int compareIntervals(PlanningProblem problem, int a, int b) {
    int count = problem.endInterval(a) - problem.firstInterval(a);
    int result = Integer.compare(count, problem.endInterval(b) - problem.firstInterval(b));
    for (int i = 0; i < count && result == 0; i++) {
      int x = problem.firstInterval(a) + i;
      int y = problem.firstInterval(b) + i;
      result = Integer.compare(problem.begin(x), problem.begin(y));
      result = result != 0 ? result : Integer.compare(problem.end(x), problem.end(y));
      result = result != 0 ? result : Long.compare(problem.low(x), problem.low(y));
      result = result != 0 ? result : Long.compare(problem.high(x), problem.high(y));
    }
    return result;
  }

  /** The problem with its buffers in order. */
  public PlanningProblem sorted() {
    return sorted;
  }

  /** Returns a placement of the sorted problem as one of the original problem. */
  public Placement restore(Placement placement) {
    long[] offsets = new long[order.length];
    for (int i = 0; i < order.length; i++) {
      offsets[order[i]] = placement.offsets().get(i);
    }
    return new Placement(
        placement.planner(),
        ImmutableLongArray.copyOf(offsets),
        placement.arenaBytes(),
        placement.lowerBound(),
        placement.nodes());
  }
}
