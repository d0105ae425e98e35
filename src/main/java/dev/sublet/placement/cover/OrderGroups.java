package dev.sublet.placement.cover;

import dev.sublet.placement.problem.BitMatrix;
import dev.sublet.placement.problem.IntervalIndex;
import dev.sublet.placement.problem.PlanningProblem;
import java.util.Arrays;

/**
 * Groups of buffers that are never live together, as paths in the order of buffers: one is before
 * another if they are never live together and it begins first.
 *
 * <p>Where that relation is transitive, as it is for buffers of one interval and for those of a
 * parallel plan whose buffers hold one value each, a {@link MinimumPathCover} gives the fewest
 * groups that there are. Buffers with gaps can make it intransitive: the first and the last of
 * three can meet around the middle one. Then a path is cut before a member that meets an earlier
 * one, and the number of groups is no longer proved.
 *
 * <p>O(n²/8) bytes; the time of {@link MinimumPathCover} plus that of one look at each pair that is
 * live together and at each pair on one path.
 */
final class OrderGroups {

  /** The relation of so many buffers takes 50 MB. */
  static final int MAX_BUFFERS = 20_000;

  private OrderGroups() {}

  /** The group of each buffer, numbered from 0. */
  static int[] find(PlanningProblem problem) {
    int[] order = byFirstPoint(problem);
    BitMatrix before = before(problem, order);
    int[] successors = MinimumPathCover.successors(before);
    return cut(before, order, successors);
  }

  /** The buffers by first point, then by index. */
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

  /** Which positions of the order come before which. */
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

  /** Follows each path from its first position; a member that meets an earlier one starts anew. */
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
