package dev.sublet.placement.cover;

import dev.sublet.diag.DiagnosticLog;
import dev.sublet.diag.Location;
import dev.sublet.placement.problem.BufferOrder;
import dev.sublet.placement.problem.Placement;
import dev.sublet.placement.problem.Planner;
import dev.sublet.placement.problem.PlannerOptions;
import dev.sublet.placement.problem.PlanningProblem;
import java.util.Comparator;

/**
 * Puts buffers that are never live together into as few groups as possible, and stacks the buffers
 * group by group. The group with the largest buffer comes first.
 *
 * <p>A group raises the stack by at most its largest buffer, so the arena is at most the sum of the
 * groups' largest buffers (plus the effect of alignments and pins). If every buffer has one
 * interval, {@link LifetimeGroups} finds as many groups as buffers are live at one point at most.
 * If some buffers have gaps, as all have under the parallel order, the minimum path cover of {@link
 * OrderGroups} is tried too, and the smaller arena is taken. Fewer groups often give a smaller
 * arena, but not always, because a path cover ignores sizes.
 *
 * <p>O(intervals × log), plus the time of {@link OrderGroups} for problems with gaps. With more
 * than {@link OrderGroups#MAX_BUFFERS} buffers {@code OrderGroups} is skipped, and the log contains
 * a warning.
 *
 * <p>Source: seed 004 (LeapMind 2021), "improvement by path cover". The order of the groups is an
 * addition here.
 */
final class PathCoverPlanner implements Planner {

  static final String NAME = "path-cover";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Placement place(PlanningProblem problem, PlannerOptions options, DiagnosticLog log) {
    Placement greedy = stack(problem, LifetimeGroups.find(problem));
    if (problem.intervalCount() == problem.bufferCount()) {
      return greedy;
    }
    if (problem.bufferCount() > OrderGroups.MAX_BUFFERS) {
      log.warn(
          Location.nowhere(),
          problem.bufferCount()
              + " buffers, some with gaps, are too many for a minimum path cover (planner '"
              + NAME
              + "'): they were grouped as if they had no gaps");
      return greedy;
    }
    Placement paths = stack(problem, OrderGroups.find(problem));
    return paths.arenaBytes() < greedy.arenaBytes() ? paths : greedy;
  }

  private static Placement stack(PlanningProblem problem, int[] groups) {
    return Placement.of(NAME, problem, Stacking.place(problem, order(problem, groups)));
  }

  /** The number of groups. */
  static int count(int[] groups) {
    int count = 0;
    for (int group : groups) {
      count = Math.max(count, group + 1);
    }
    return count;
  }

  /**
   * Returns the buffers group by group, the group with the largest buffer first. In a group the
   * order is by index, because its members are never live together.
   */
  private static int[] order(PlanningProblem problem, int[] groups) {
    long[] largest = new long[count(groups)];
    for (int buffer = 0; buffer < groups.length; buffer++) {
      largest[groups[buffer]] = Math.max(largest[groups[buffer]], problem.size(buffer));
    }
    return BufferOrder.sort(
        problem,
        Comparator.<Integer>comparingLong(buffer -> -largest[groups[buffer]])
            .thenComparingInt(buffer -> groups[buffer]));
  }
}
