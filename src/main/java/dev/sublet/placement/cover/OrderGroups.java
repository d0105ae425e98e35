package dev.sublet.placement.cover;

import dev.sublet.placement.problem.BitMatrix;
import dev.sublet.placement.problem.IntervalIndex;
import dev.sublet.placement.problem.PlanningProblem;
import java.util.Arrays;

/**
 * Groups buffers that are never live together. Each group is a path in an order of the buffers: a
 * buffer comes before another if the two are never live together and it begins first.
 *
 * <p>The order is transitive if every buffer has one interval, or in a parallel plan whose buffers
 * hold one value each. Then a {@link MinimumPathCover} gives the minimum number of groups. Gaps in
 * live ranges can make the order intransitive: of three buffers on a path, the first and the last
 * may be live together although neither is live together with the middle one. In this case a path
 * is cut before a member that is live together with an earlier one, and the number of groups is no
 * longer proved to be minimal.
 *
 * <p>O(n²/8) bytes; the time of {@link MinimumPathCover}, plus constant time for each pair that is
 * live together and for each pair on one path.
 */
final class OrderGroups {

  /** The largest number of buffers; their relation takes 50 MB. */
  static final int MAX_BUFFERS = 20_000;

  private OrderGroups() {}

  /** Returns the group of each buffer, numbered from 0. */
  static int[] find(PlanningProblem problem) {
    int[] order = byFirstPoint(problem);
    BitMatrix before = before(problem, order);
    int[] successors = MinimumPathCover.successors(before);
    return cut(before, order, successors);
  }

  /** Returns the buffers by first point, then by index. */
  private static int[] byFirstPoint(PlanningProblem problem) {
    long[] keys = new long[problem.bufferCount()];
    for (int buffer = 0; buffer < keys.length; buffer++) {
      keys[buffer] = (long) problem.firstPoint(buffer) << 32 | buffer;
    }
    Arrays.sort(keys);
    int[] order = new int[keys.length];
    for (int i = 0; i < order.length; i++) {
      order[i] = (int) keys[i];
    }
    return order;
  }

  /** Returns the relation "comes before" between positions of the order. */
  private static BitMatrix before(PlanningProblem problem, int[] order) {
    int count = order.length;
    int[] position = new int[count];
    for (int i = 0; i < count; i++) {
      position[order[i]] = i;
    }
    BitMatrix before = new BitMatrix(count);
    IntervalIndex index = new IntervalIndex(problem);
    int[] found = new int[64];
    for (int i = 0; i < count; i++) {
      before.setFrom(i, i + 1);
      for (int k = problem.firstInterval(order[i]); k < problem.endInterval(order[i]); k++) {
        found = index.collect(problem.begin(k), problem.end(k), found, 0);
        for (int hit = 0; hit < index.hits(); hit++) {
          before.clear(i, position[found[hit]]);
        }
      }
    }
    return before;
  }

  /**
   * Follows each path from its first position and makes it a group. A member that is live together
   * with an earlier one begins a new group.
   */
  private static int[] cut(BitMatrix before, int[] order, int[] successors) {
    int[] groupOf = new int[order.length];
    boolean[] isDone = new boolean[order.length];
    int[] members = new int[order.length];
    int groups = 0;
    for (int first = 0; first < order.length; first++) {
      int count = 0;
      for (int i = first; i >= 0 && !isDone[i]; i = successors[i]) {
        if (count == 0 || !followsAll(before, members, count, i)) {
          groups++;
          count = 0;
        }
        isDone[i] = true;
        members[count++] = i;
        groupOf[order[i]] = groups - 1;
      }
    }
    return groupOf;
  }

  private static boolean followsAll(BitMatrix before, int[] members, int count, int position) {
    for (int i = 0; i < count; i++) {
      if (!before.get(members[i], position)) {
        return false;
      }
    }
    return true;
  }
}
