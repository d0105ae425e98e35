package dev.sublet.offset;

import dev.sublet.placement.greedy.Gaps;
import dev.sublet.placement.problem.LoadProfile;
import dev.sublet.placement.problem.Placement;
import dev.sublet.placement.problem.PlanningProblem;
import java.util.Arrays;

/**
 * Puts as many buffers as fit, in an order of preference, into one memory of a limited size.
 *
 * <ol>
 *   <li>Pinned buffers whose bytes end within the capacity come first.
 *   <li>Of the others, those with which the bytes live at a point still fit, padding included; the
 *       rest cannot all be placed whatever the planner.
 *   <li>Of those as many of the first as the planner can place, found by bisection in O(log n)
 *       placements. (That more buffers never need less is true of the best placement, not of every
 *       planner's; what is taken was placed, in any case.)
 *   <li>What is left, in order, into the lowest gaps that are large enough, if there are any.
 * </ol>
 */
final class KnapsackFill {

  /** Places a part of a problem: the buffers that are given, ascending. */
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

  /** How many nodes searches visited. */
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

  /** Windows may begin anywhere: then padding proves nothing. */
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

  /** Places the first of the candidates, and keeps that if it fits. */
  private boolean take(int[] candidates, int count) {
    if (count == 0) {
      return true;
    }
    // Planners break ties by index: in its own order a problem is placed as it is without pools.
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
