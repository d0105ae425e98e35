package dev.sublet.placement.search;

import dev.sublet.placement.problem.PlanningProblem;
import java.util.Arrays;

/**
 * A lower bound from a clique of the interference graph: buffers of which every two are live
 * together at some time lie one above the other in every placement, so the arena has at least their
 * total size.
 *
 * <p>The buffers that are live at one point are such a clique. If live ranges have no holes, no
 * clique is heavier than the heaviest of these (Helly's theorem). With holes there can be a heavier
 * one. Take 100 loop-carried variables {@code a} and their next values {@code t}: each {@code a} is
 * dead while its {@code t} is computed and copied, but each {@code t} is live together with every
 * other {@code a}. A section has 100 of the 200 buffers, the clique has all of them.
 *
 * <p>The clique is built greedily: it begins with the buffers of one of the heaviest sections, and
 * grows by the largest buffer that is live together with all buffers taken so far. O(sections log
 * sections + starts × (pairs of buffers live together + buffers × clique)), at most about {@link
 * #MAX_WORK}.
 */
final class CliqueBound {

  private static final int MAX_STARTS = 8;
  private static final long MAX_WORK = 40_000_000;

  private final SearchModel model;

  /** By buffer: the number of members of the clique that it is live together with. */
  private final int[] meets;

  private long work;

  private CliqueBound(SearchModel model) {
    this.model = model;
    this.meets = new int[model.count];
  }

  /**
   * Returns a number of bytes that no placement goes below. Returns 0 for problems with windows,
   * which let buffers overlap, and for problems without holes, where the heaviest section gives the
   * same bound.
   */
  static long of(SearchModel model) {
    PlanningProblem problem = model.problem;
    if (problem.hasWindows() || problem.intervalCount() == problem.bufferCount()) {
      return 0;
    }
    CliqueBound bound = new CliqueBound(model);
    long best = 0;
    for (int section : bound.heaviestSections()) {
      best = Math.max(best, bound.around(section));
    }
    return best;
  }

  private int[] heaviestSections() {
    long[] keys = new long[model.sections];
    for (int s = 0; s < keys.length; s++) {
      keys[s] = (long) -model.loads[s] << 32 | s;
    }
    Arrays.sort(keys);
    int[] heaviest = new int[Math.min(MAX_STARTS, keys.length)];
    for (int i = 0; i < heaviest.length; i++) {
      heaviest[i] = (int) keys[i];
    }
    return heaviest;
  }

  /** Returns the bytes of a clique that contains the buffers of a section. */
  private long around(int section) {
    Arrays.fill(meets, 0);
    long units = 0;
    long slack = 0;
    int taken = 0;
    for (int i = model.memberRows[section]; i < model.memberRows[section + 1]; i++) {
      units += model.heights[model.members[i]];
      slack = Math.max(slack, slack(model.members[i]));
      take(model.members[i]);
      taken++;
    }
    for (int next = largest(taken); next >= 0 && work < MAX_WORK; next = largest(taken)) {
      units += model.heights[next];
      slack = Math.max(slack, slack(next));
      take(next);
      taken++;
    }
    return units * model.unit - slack;
  }

  /**
   * The bytes between the end of a buffer and the next multiple of the unit, which the topmost
   * buffer does not need.
   */
  private long slack(int buffer) {
    return model.heights[buffer] * model.unit - model.problem.size(buffer);
  }

  private void take(int buffer) {
    work += model.neighborRows[buffer + 1] - model.neighborRows[buffer];
    for (int i = model.neighborRows[buffer]; i < model.neighborRows[buffer + 1]; i++) {
      meets[model.neighbors[i]]++;
    }
  }

  /**
   * Returns the largest buffer that is live together with all buffers taken so far, or -1. A taken
   * buffer is never returned, because it is not its own neighbor.
   */
  private int largest(int taken) {
    work += model.count;
    int best = -1;
    for (int b = 0; b < model.count; b++) {
      if (meets[b] == taken && (best < 0 || model.heights[b] > model.heights[best])) {
        best = b;
      }
    }
    return best;
  }
}
