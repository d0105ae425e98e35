package dev.sublet.placement.problem;

import com.google.common.primitives.ImmutableLongArray;

/**
 * Where a planner has put the buffers of a problem.
 *
 * @param planner the name of the planner whose offsets these are
 * @param offsets of the buffers, by index
 * @param arenaBytes the first byte behind all buffers
 * @param lowerBound no placement needs fewer bytes than this
 * @param nodes how many nodes a search has visited; 0 if there was none
 */
public record Placement(
    String planner, ImmutableLongArray offsets, long arenaBytes, long lowerBound, long nodes) {

  /** A placement by an algorithm that proves nothing by itself. O(buffers + intervals × log). */
  public static Placement of(String planner, PlanningProblem problem, long[] offsets) {
    return new Placement(
        planner,
        ImmutableLongArray.copyOf(offsets),
        arenaBytes(problem, offsets),
        LowerBound.of(problem),
        /* nodes= */ 0);
  }

  /** The first byte behind all buffers. */
  public static long arenaBytes(PlanningProblem problem, long[] offsets) {
    long bytes = 0;
    for (int buffer = 0; buffer < offsets.length; buffer++) {
      bytes = Math.max(bytes, Math.addExact(offsets[buffer], problem.size(buffer)));
    }
    return bytes;
  }

  /** Whether no placement is smaller. */
  public boolean isProvedOptimal() {
    return arenaBytes == lowerBound;
  }

  /** The same under the name of another planner. */
  public Placement by(String newPlanner) {
    return new Placement(newPlanner, offsets, arenaBytes, lowerBound, nodes);
  }
}
