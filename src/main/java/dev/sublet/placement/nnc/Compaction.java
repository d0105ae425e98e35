package dev.sublet.placement.nnc;

import dev.sublet.placement.problem.LowerBound;
import dev.sublet.placement.problem.Placement;
import dev.sublet.placement.problem.PlanningProblem;
import java.util.stream.IntStream;

/**
 * Moves each buffer of a placement, by ascending offset, down to its lowest free offset, until
 * nothing moves. Does nothing if the arena already equals its lower bound. Pinned buffers stay.
 *
 * <p>Without windows one round is enough. The buffers above a moved buffer are never in its way, so
 * the round builds a new allocation graph and inserts the buffers in order. This takes O(e log e)
 * per buffer if e edges of the graph are free at one point. With windows, a buffer may begin below
 * another one above which it lies, so all buffers must be present in each round, at O((1 +
 * neighbors) log n) per buffer.
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

  /**
   * Lowers offsets in place until nothing moves. Returns false if it stopped because of the work
   * limit.
   */
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
