package dev.sublet.placement.nnc;

import dev.sublet.placement.problem.LowerBound;
import dev.sublet.placement.problem.Placement;
import dev.sublet.placement.problem.PlanningProblem;
import java.util.stream.IntStream;

/**
 * Drops each buffer of a placement, by ascending offset, to its lowest free offset, until nothing
 * moves; unless the arena is as small as can be already. Pinned buffers stay.
 *
 * <p>Without windows one round is enough, and is a construction of its own: buffers above one that
 * is dropped are in the way neither of it nor, later, of the room that it has found; so they need
 * not be there yet. O(e log e) a buffer for e edges of the allocation graph that are free at one
 * point. With windows a buffer may begin below the one that it lies above, so that all of them are
 * there, in each round; O((1 + neighbours) log n) a buffer.
 */
final class Compaction {

  private final PlanningProblem problem;
  private final long[] offsets;
  private final long maxWork;

  private Compaction(PlanningProblem problem, long[] offsets, long maxWork) {
    this.problem = problem;
    this.offsets = offsets;
    this.maxWork = maxWork;
  }

  /** Changes the offsets in place, until nothing moves or too much work is done: then false. */
  static boolean compact(PlanningProblem problem, long[] offsets, long maxWork) {
    if (Placement.arenaBytes(problem, offsets) == LowerBound.of(problem)) {
      return true;
    }
    Compaction compaction = new Compaction(problem, offsets, maxWork);
    return problem.hasWindows() ? compaction.dropRepeatedly() : compaction.placeAnew();
  }

  private boolean placeAnew() {
    AllocationBuilder builder = new AllocationBuilder(problem, maxWork);
    for (int buffer : unpinnedByOffset()) {
      builder.insertLowest(buffer);
      if (builder.isWorkUp()) {
        return false;
      }
    }
    System.arraycopy(builder.offsets(), 0, offsets, 0, offsets.length);
    return true;
  }

  private boolean dropRepeatedly() {
    LowestFit fit = new LowestFit(problem);
    boolean hasMoved = true;
    while (hasMoved) {
      hasMoved = false;
      for (int buffer : unpinnedByOffset()) {
        long offset = fit.drop(buffer, offsets);
        hasMoved |= offset < offsets[buffer];
        offsets[buffer] = offset;
        if (fit.visits() > maxWork / AllocationBuilder.VISITS_OF_FIT) {
          return false;
        }
      }
    }
    return true;
  }

  private int[] unpinnedByOffset() {
    return IntStream.range(0, offsets.length)
        .filter(buffer -> !problem.isPinned(buffer))
        .boxed()
        .sorted((a, b) -> compare(a, b))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  private int compare(int a, int b) {
    return offsets[a] != offsets[b] ? Long.compare(offsets[a], offsets[b]) : Integer.compare(a, b);
  }
}
