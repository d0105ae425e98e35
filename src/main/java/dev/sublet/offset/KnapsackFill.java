package dev.sublet.offset;

import dev.sublet.placement.greedy.Gaps;
import dev.sublet.placement.problem.LoadProfile;
import dev.sublet.placement.problem.Placement;
import dev.sublet.placement.problem.PlanningProblem;
import java.util.Arrays;

/**
 * Puts as many buffers as fit into one memory of a limited size, in an order of preference.
 *
 * <ol>
 *   <li>Pinned buffers whose bytes end within the capacity come first.
 *   <li>Another buffer is a candidate if it still fits, padding included, beside the bytes that are
 *       live at each of its points. No planner can place the rest together with the candidates.
 *   <li>The memory takes as many of the first candidates as the planner can place. Bisection finds
 *       their number in O(log n) placements. (More buffers never need fewer bytes in the best
 *       placement. A planner's placement may break this rule, but all buffers that are taken were
 *       placed.)
 *   <li>The remaining buffers, in order, go into the lowest gaps that are large enough, if there
 *       are any.
 * </ol>
 */
final class KnapsackFill {

  /** Places some buffers of a problem, given in ascending order. */
  interface Placer {
    Placement place(int[] buffers);
  }

  private final PlanningProblem problem;
  private final long capacity;
  private final Placer placer;
  private final boolean[] isIn;
  private final long[] offsets;
  private long nodes;

  private KnapsackFill(PlanningProblem problem, long capacity, Placer placer) {
    this.problem = problem;
    this.capacity = capacity;
    this.placer = placer;
    this.isIn = new boolean[problem.bufferCount()];
    this.offsets = new long[problem.bufferCount()];
  }

  /**
   * Fills a memory.
   *
   * @param order the buffers that it may take, the best first
   * @param withGaps whether gaps that the planner leaves are used
   */
  static KnapsackFill fill(
      PlanningProblem problem, int[] order, long capacity, boolean withGaps, Placer placer) {
    KnapsackFill filling = new KnapsackFill(problem, capacity, placer);
    filling.takePrefix(filling.candidates(order));
    if (withGaps) {
      filling.fillGaps(order);
    }
    return filling;
  }

  /** Whether the memory took a buffer. */
  boolean isIn(int buffer) {
    return isIn[buffer];
  }

  /** The offset of a buffer that it took. */
  long offset(int buffer) {
    return offsets[buffer];
  }

  /** The number of nodes that searches visited. */
  long nodes() {
    return nodes;
  }

  private int[] candidates(int[] order) {
    int[] candidates = new int[order.length];
    int count = 0;
    int points = 0;
    for (int buffer : order) {
      points = Math.max(points, problem.lastPoint(buffer));
    }
    LoadProfile load = new LoadProfile(points);
    // Of the buffers at a point all but the topmost are padded: their padded sum may exceed the
    // capacity by less than the alignment.
    long limit = problem.align(Math.min(capacity, Long.MAX_VALUE - problem.alignment()));
    for (boolean pinned : new boolean[] {true, false}) {
      for (int buffer : order) {
        if (problem.isPinned(buffer) == pinned && fitsAlone(buffer) && fits(buffer, load, limit)) {
          addTo(load, buffer);
          candidates[count++] = buffer;
        }
      }
    }
    return Arrays.copyOf(candidates, count);
  }

  private boolean fitsAlone(int buffer) {
    long offset = problem.isPinned(buffer) ? problem.pin(buffer) : 0;
    return offset <= capacity && problem.size(buffer) <= capacity - offset;
  }

  private boolean fits(int buffer, LoadProfile load, long limit) {
    for (int i = problem.firstInterval(buffer); i < problem.endInterval(buffer); i++) {
      if (load.greatest(problem.begin(i), problem.end(i)) > limit - padded(i)) {
        return false;
      }
    }
    return true;
  }

  private void addTo(LoadProfile load, int buffer) {
    for (int i = problem.firstInterval(buffer); i < problem.endInterval(buffer); i++) {
      load.add(problem.begin(i), problem.end(i), padded(i));
    }
  }

  /**
   * Returns the bytes of an interval, padded unless the problem has windows: a window may begin
   * anywhere, so its padding proves nothing.
   */
  private long padded(int interval) {
    long bytes = problem.bytes(interval);
    return problem.hasWindows() ? bytes : problem.align(bytes);
  }

  private void takePrefix(int[] candidates) {
    if (take(candidates, candidates.length)) {
      return;
    }
    int fits = 0;
    int fails = candidates.length;
    while (fails - fits > 1) {
      int middle = (fits + fails) >>> 1;
      if (take(candidates, middle)) {
        fits = middle;
      } else {
        fails = middle;
      }
    }
  }

  /** Places the first candidates, and keeps the placement if it fits. */
  private boolean take(int[] candidates, int count) {
    if (count == 0) {
      return true;
    }
    // Planners break ties by index. In ascending order, a problem is placed as it is without pools.
    int[] buffers = Arrays.copyOf(candidates, count);
    Arrays.sort(buffers);
    Placement placement = placer.place(buffers);
    nodes += placement.nodes();
    if (placement.arenaBytes() > capacity) {
      return false;
    }
    for (int i = 0; i < count; i++) {
      isIn[buffers[i]] = true;
      offsets[buffers[i]] = placement.offsets().get(i);
    }
    return true;
  }

  private void fillGaps(int[] order) {
    Gaps gaps = Gaps.lowest(problem);
    for (int buffer : order) {
      if (isIn[buffer]) {
        gaps.take(buffer, offsets[buffer]);
      }
    }
    for (int buffer : order) {
      if (isIn[buffer] || problem.isPinned(buffer) || !fitsAlone(buffer)) {
        continue;
      }
      long offset = gaps.find(buffer);
      if (offset <= capacity - problem.size(buffer)) {
        isIn[buffer] = true;
        offsets[buffer] = offset;
        gaps.take(buffer, offset);
      }
    }
  }
}
