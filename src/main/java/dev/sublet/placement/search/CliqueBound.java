package dev.sublet.placement.search;

import dev.sublet.placement.problem.PlanningProblem;
import java.util.Arrays;

/**
 * The bytes of buffers of which each two are live together at some time: they lie one above the
 * other in every placement.
 *
 * <p>Buffers that are live at one point are such a clique, and without holes in live ranges there
 * is none that is heavier (Helly's theorem). With holes there is: of the variables that a loop
 * hands on and their next values, {@code a} is dead while {@code t} is computed and copied, but
 * each {@code t} meets each other {@code a}. A section has 100 of 200 buffers, the clique all.
 *
 * <p>Greedy: from the heaviest sections on, each time the largest buffer that meets all that were
 * taken. O(sections log sections + starts × (pairs of buffers live together + buffers × clique)),
 * at most about {@link #MAX_WORK}.
 */
final class CliqueBound {

  private static final int MAX_STARTS = 8;
  private static final long MAX_WORK = 40_000_000;

  private final SearchModel model;

  /** How many buffers of the clique each buffer meets. */
  private final int[] meets;

  private long work;

  private CliqueBound(SearchModel model) {
    this.model = model;
    this.meets = new int[model.count];
  }

  /**
   * No placement of a problem needs fewer bytes. 0 where windows let buffers overlap, and without
   * holes, where the heaviest section is as good.
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

  /** The bytes of a clique that contains the buffers of a section. */
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
   * The bytes between the end of a buffer and the next unit: the topmost one does not need them.
   */
  private long slack(int buffer) {
    return model.heights[buffer] * model.unit - model.problem.size(buffer);
  }

  private void take(int buffer) {
    work += model.neighbourRows[buffer + 1] - model.neighbourRows[buffer];
    for (int i = model.neighbourRows[buffer]; i < model.neighbourRows[buffer + 1]; i++) {
      meets[model.neighbours[i]]++;
    }
  }

  /** The largest buffer that meets all that were taken, or -1. None of these meets itself. */
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
