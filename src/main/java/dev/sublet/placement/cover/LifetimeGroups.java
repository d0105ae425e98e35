package dev.sublet.placement.cover;

import dev.sublet.placement.problem.PlanningProblem;
import java.util.Arrays;
import java.util.Comparator;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * Puts buffers into as few groups as possible such that no two members of a group are live
 * together.
 *
 * <p>A buffer counts as live from its first point to its last. If each buffer has one interval, the
 * greedy choice needs as many groups as buffers are live at one point, which is proved to be the
 * minimum. With gaps the choice is a heuristic; {@link OrderGroups} is an alternative.
 *
 * <p>Source: seed 004 (LeapMind 2021), "grouping algorithm" and its proof, which leaves the choice
 * between free groups open. Here a buffer joins the smallest free group whose largest buffer is at
 * least as large, so that few groups grow. If there is none, it joins the free group with the
 * largest buffer. Of equal groups it joins the oldest.
 */
final class LifetimeGroups {

  private record Group(long bytes, int index) {}

  private LifetimeGroups() {}

  /** Returns the group of each buffer. Groups are numbered in the order of their first members. */
  static int[] find(PlanningProblem problem) {
    int count = problem.bufferCount();
    long[] births = new long[count];
    long[] deaths = new long[count];
    for (int buffer = 0; buffer < count; buffer++) {
      births[buffer] = (long) problem.firstPoint(buffer) << 32 | buffer;
      deaths[buffer] = (long) problem.lastPoint(buffer) << 32 | buffer;
    }
    Arrays.sort(births);
    Arrays.sort(deaths);
    int[] groupOf = new int[count];
    long[] bytes = new long[count];
    int groups = 0;
    NavigableSet<Group> free =
        new TreeSet<>(Comparator.comparingLong(Group::bytes).thenComparingInt(Group::index));
    int death = 0;
    for (long birth : births) {
      for (; (deaths[death] >>> 32) <= (birth >>> 32); death++) {
        int group = groupOf[(int) deaths[death]];
        free.add(new Group(bytes[group], group));
      }
      int born = (int) birth;
      int group = free.isEmpty() ? groups++ : take(free, problem.size(born));
      groupOf[born] = group;
      bytes[group] = Math.max(bytes[group], problem.size(born));
    }
    return groupOf;
  }

  private static int take(NavigableSet<Group> free, long size) {
    Group chosen = free.ceiling(new Group(size, 0));
    if (chosen == null) {
      chosen = free.ceiling(new Group(free.last().bytes(), 0));
    }
    free.remove(chosen);
    return chosen.index();
  }
}
