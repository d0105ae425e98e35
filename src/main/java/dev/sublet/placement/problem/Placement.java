package dev.sublet.placement.problem;

import com.google.common.primitives.ImmutableLongArray;

/**
 * The offsets that a planner has given to the buffers of a problem.
 *
 * @param planner the name of the planner that found the offsets
 * @param offsets the offsets of the buffers, by index
 * @param arenaBytes the first byte after all buffers
 * @param lowerBound a number of bytes that no placement goes below
 * @param nodes the number of nodes that a search has visited; 0 if there was no search
 */
public record Placement(
    String planner, ImmutableLongArray offsets, long arenaBytes, long lowerBound, long nodes) {

  /**
   * Creates the placement of an algorithm that proves no bound of its own. O(buffers + intervals ×
   * log).
   */
  public static Placement of(String planner, PlanningProblem problem, long[] offsets) {
    return new Placement(
        planner,
        ImmutableLongArray.copyOf(offsets),
        arenaBytes(problem, offsets),
        LowerBound.of(problem),
        /* nodes= */ 0);
  }

  /** Returns the first byte after all buffers. */
  public static long arenaBytes(PlanningProblem problem, long[] offsets) {
    long bytes = 0;
    for (int buffer = 0; buffer < offsets.length; buffer++) {
      bytes = Math.max(bytes, Math.addExact(offsets[buffer], problem.size(buffer)));
    }
    return bytes;
  }

  /** Whether the arena equals the lower bound, so that no placement is smaller. */
  public boolean isProvedOptimal() {
    return arenaBytes == lowerBound;
  }

  /** Returns the same placement with another number of nodes. */
  public Placement withNodes(long newNodes) {
    return new Placement(planner, offsets, arenaBytes, lowerBound, newNodes);
  }

  /** Returns the same placement under the name of another planner. */
  public Placement by(String newPlanner) {
    return new Placement(newPlanner, offsets, arenaBytes, lowerBound, nodes);
  }
}
