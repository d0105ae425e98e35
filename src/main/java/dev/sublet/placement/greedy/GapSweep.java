package dev.sublet.placement.greedy;

import dev.sublet.placement.problem.PlanningProblem;
import java.util.Arrays;

/**
 * Finds an offset for a buffer between the bytes that others occupy: sweeps upwards over several
 * sorted lists of ranges of occupied bytes at once, as in a merge.
 *
 * <p>Each list belongs to a window {@code [low, high)} of the buffer. A range {@code [from, to)} of
 * the list forbids the offsets y with {@code from < y + high} and {@code y + low < to}: the offsets
 * strictly between {@code from - high} and {@code to - low}. The gaps are the offsets that no range
 * forbids.
 *
 * <p>A step passes one range, together with those of the same list that lie below the current
 * offset. It takes O(lists + log ranges), usually O(1).
 */
final class GapSweep {

  /** The position of the sweep in one list. */
  private static final class Walk {
    ByteRangeSet list = new ByteRangeSet();
    long low;
    long high;

    /** The index of the next range. */
    int next;

    /**
     * The last offset before the next forbidden range; {@code Long.MAX_VALUE} at the end of the
     * list end.
     */
    long limit;

    /** Goes to the first range, from a given one on, that forbids an offset after a given one. */
    void advance(int start, long offset) {
      next = list.nextEndingBehind(offset + low, start);
      limit = next == list.size() ? Long.MAX_VALUE : list.from(next) - high;
    }
  }

  /** The walks, of which the first {@link #count} are used; ordered by limit during a sweep. */
  private Walk[] walks = new Walk[0];

  private int count;

  private ByteRangeSet[] scratch = new ByteRangeSet[0];
  private int scratchCount;

  private long low;
  private long high;

  private long offset;
  private long best;
  private long tightest;

  /** Forgets all lists. */
  void clear() {
    count = 0;
    scratchCount = 0;
  }

  /** Sets the window of the buffer to which the lists that are added next belong. */
  void setWindow(long low, long high) {
    this.low = low;
    this.high = high;
  }

  /** Adds a list of the current window. The list must not change before the sweep. */
  void add(ByteRangeSet list) {
    if (list.size() == 0) {
      return;
    }
    if (count == walks.length) {
      walks = Arrays.copyOf(walks, Math.max(16, 2 * count));
      for (int i = count; i < walks.length; i++) {
        walks[i] = new Walk();
      }
    }
    Walk walk = walks[count++];
    walk.list = list;
    walk.low = low;
    walk.high = high;
  }

  /** Returns an empty list for the caller to fill and add. */
  ByteRangeSet scratch() {
    if (scratchCount == scratch.length) {
      scratch = Arrays.copyOf(scratch, Math.max(4, 2 * scratchCount));
      for (int i = scratchCount; i < scratch.length; i++) {
        scratch[i] = new ByteRangeSet();
      }
    }
    ByteRangeSet list = scratch[scratchCount++];
    list.clear();
    return list;
  }

  /**
   * Returns the offset that a rule picks.
   *
   * @param alignment a number of which the offset must be a multiple
   */
  long find(FitRule rule, long alignment) {
    for (int i = count - 1; i >= 0; i--) {
      walks[i].advance(/* start= */ 0, Long.MIN_VALUE / 2);
      sink(i);
    }
    offset = 0;
    best = -1;
    tightest = Long.MAX_VALUE;
    while (count > 0 && walks[0].limit != Long.MAX_VALUE) {
      if (pass(walks[0], count > 1 ? walks[1].limit : Long.MAX_VALUE, rule, alignment)) {
        return best;
      }
      sink(0);
    }
    return best >= 0 ? best : PlanningProblem.align(offset, alignment);
  }

  /**
   * Passes ranges of one list as long as they come before those of all other lists.
   *
   * @return whether the search is over because no better gap can follow
   */
  private boolean pass(Walk walk, long limitOfOthers, FitRule rule, long alignment) {
    do {
      // Aligning needs a division, so do it only where the gap can be the tightest.
      if (offset <= walk.limit && walk.limit - offset - alignment < tightest) {
        long aligned = PlanningProblem.align(offset, alignment);
        long slack = walk.limit - aligned;
        if (slack >= 0 && slack < tightest) {
          best = aligned;
          tightest = slack;
          // No gap is tighter than one without slack, and the lowest of equal gaps wins.
          if (rule == FitRule.LOWEST || slack == 0) {
            return true;
          }
        }
      }
      offset = Math.max(offset, walk.list.to(walk.next) - walk.low);
      walk.advance(walk.next + 1, offset);
    } while (walk.limit <= limitOfOthers && walk.limit != Long.MAX_VALUE);
    return false;
  }

  /** Moves a walk after the later walks with lower limits, which are usually few. */
  private void sink(int position) {
    Walk walk = walks[position];
    int next = position + 1;
    for (; next < count && walks[next].limit < walk.limit; next++) {
      walks[next - 1] = walks[next];
    }
    walks[next - 1] = walk;
  }
}
