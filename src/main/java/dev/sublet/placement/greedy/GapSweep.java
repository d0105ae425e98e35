package dev.sublet.placement.greedy;

import dev.sublet.placement.problem.PlanningProblem;
import java.util.Arrays;

/**
 * Finds the offsets that a buffer may have between bytes that others occupy: walks several lists of
 * stretches together, upwards.
 *
 * <p>Each list belongs to a window {@code [low, high)} of the buffer. A stretch {@code [from, to)}
 * of it forbids the offsets y with {@code from < y + high} and {@code y + low < to}, that is those
 * strictly between {@code from - high} and {@code to - low}. What no stretch forbids are the gaps.
 *
 * <p>A step passes a stretch and those of its list that lie in what is passed already, in O(lists +
 * log stretches), as a rule in O(1).
 */
final class GapSweep {

  /** A list on the walk. */
  private static final class Walk {
    StretchSet list = new StretchSet();
    long low;
    long high;

    /** The stretch that is next. */
    int next;

    /** The last offset below those that it forbids; the greatest number at the list's end. */
    long limit;

    /** Goes to the first stretch from one on that forbids something behind an offset. */
    void advance(int start, long offset) {
      next = list.nextEndingBehind(offset + low, start);
      limit = next == list.size() ? Long.MAX_VALUE : list.from(next) - high;
    }
  }

  /** The walks that are used, by their limits during a sweep. */
  private Walk[] walks = new Walk[0];

  private int count;

  private StretchSet[] scratch = new StretchSet[0];
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

  /** The lists that follow belong to these bytes of the buffer. */
  void setWindow(long low, long high) {
    this.low = low;
    this.high = high;
  }

  /** Adds a list, which must not change before the sweep. */
  void add(StretchSet list) {
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

  /** An empty list that is not added yet. */
  StretchSet scratch() {
    if (scratchCount == scratch.length) {
      scratch = Arrays.copyOf(scratch, Math.max(4, 2 * scratchCount));
      for (int i = scratchCount; i < scratch.length; i++) {
        scratch[i] = new StretchSet();
      }
    }
    StretchSet list = scratch[scratchCount++];
    list.clear();
    return list;
  }

  /**
   * The offset that a rule picks.
   *
   * @param alignment the offset is a multiple of this
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
   * Passes stretches of one list as long as they come before those of all others.
   *
   * @return whether no better gap can follow
   */
  private boolean pass(Walk walk, long limitOfOthers, FitRule rule, long alignment) {
    do {
      // To align is to divide: only where it can make the gap the tightest.
      if (offset <= walk.limit && walk.limit - offset - alignment < tightest) {
        long aligned = PlanningProblem.align(offset, alignment);
        long slack = walk.limit - aligned;
        if (slack >= 0 && slack < tightest) {
          best = aligned;
          tightest = slack;
          // No gap is tighter than one without slack, and ties go to the lowest.
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

  /** Moves a walk behind those that follow it and have lower limits; as a rule these are few. */
  private void sink(int position) {
    Walk walk = walks[position];
    int next = position + 1;
    for (; next < count && walks[next].limit < walk.limit; next++) {
      walks[next - 1] = walks[next];
    }
    walks[next - 1] = walk;
  }
}
