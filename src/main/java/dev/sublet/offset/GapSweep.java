package dev.sublet.offset;

import java.util.Arrays;

/**
 * Finds the offsets that a buffer may have between bytes that others occupy: walks several lists of
 * stretches together, upwards.
 *
 * <p>Each list belongs to a window {@code [low, high)} of the buffer. A stretch {@code [from, to)}
 * of it forbids the offsets y with {@code from < y + high} and {@code y + low < to}, that is those
 * strictly between {@code from - high} and {@code to - low}. What no stretch forbids are the gaps.
 *
 * <p>O(lists) a gap, less where one list has several in a row; stretches that lie in what another
 * list forbids are passed in O(log) of their number.
 */
final class GapSweep {

  private StretchSet[] lists = new StretchSet[16];
  private long[] lows = new long[16];
  private long[] highs = new long[16];

  /** The stretch of each list that is next, and the last offset below those that it forbids. */
  private int[] cursors = new int[16];

  private long[] limits = new long[16];
  private int count;

  private StretchSet[] scratch = new StretchSet[0];
  private int scratchUsed;

  private long low;
  private long high;

  /** Forgets all lists. */
  void clear() {
    count = 0;
    scratchUsed = 0;
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
    addAny(list);
  }

  /** Adds a list that the caller fills. */
  StretchSet addScratch() {
    if (scratchUsed == scratch.length) {
      scratch = Arrays.copyOf(scratch, Math.max(4, 2 * scratchUsed));
      for (int i = scratchUsed; i < scratch.length; i++) {
        scratch[i] = new StretchSet();
      }
    }
    StretchSet list = scratch[scratchUsed++];
    addAny(list);
    return list;
  }

  private void addAny(StretchSet list) {
    if (count == lists.length) {
      lists = Arrays.copyOf(lists, 2 * count);
      lows = Arrays.copyOf(lows, 2 * count);
      highs = Arrays.copyOf(highs, 2 * count);
      cursors = Arrays.copyOf(cursors, 2 * count);
      limits = Arrays.copyOf(limits, 2 * count);
    }
    lists[count] = list;
    lows[count] = low;
    highs[count] = high;
    count++;
  }

  /**
   * The offset that a rule picks.
   *
   * @param alignment the offset is a multiple of this
   */
  long find(FitRule rule, long alignment) {
    for (int list = 0; list < count; list++) {
      cursors[list] = 0;
      limits[list] = limit(list);
    }
    long best = -1;
    long tightest = Long.MAX_VALUE;
    long offset = 0;
    while (true) {
      int next = lowestLimit(/* except= */ -1);
      if (next < 0 || limits[next] == Long.MAX_VALUE) {
        return best >= 0 ? best : PlanningProblem.align(offset, alignment);
      }
      // As long as this list stays the next one, the others need not be asked.
      int other = lowestLimit(next);
      long others = other < 0 ? Long.MAX_VALUE - 1 : Math.min(limits[other], Long.MAX_VALUE - 1);
      do {
        if (offset <= limits[next]) {
          long aligned = PlanningProblem.align(offset, alignment);
          long slack = limits[next] - aligned;
          if (slack >= 0 && slack < tightest) {
            best = aligned;
            tightest = slack;
            // No gap is tighter than one without slack, and ties go to the lowest.
            if (rule == FitRule.LOWEST || slack == 0) {
              return best;
            }
          }
        }
        offset = advance(next, offset);
      } while (limits[next] <= others);
    }
  }

  /** Passes the next stretch of a list; returns the first offset that it does not forbid. */
  private long advance(int list, long offset) {
    long free = Math.max(offset, lists[list].to(cursors[list]) - lows[list]);
    cursors[list] = lists[list].nextEndingBehind(free + lows[list], cursors[list] + 1);
    limits[list] = limit(list);
    return free;
  }

  private long limit(int list) {
    int cursor = cursors[list];
    return cursor == lists[list].size() ? Long.MAX_VALUE : lists[list].from(cursor) - highs[list];
  }

  /** The list whose limit is the lowest, the first of equals; -1 if there is none. */
  private int lowestLimit(int except) {
    int lowest = -1;
    for (int list = 0; list < count; list++) {
      if (list != except && (lowest < 0 || limits[list] < limits[lowest])) {
        lowest = list;
      }
    }
    return lowest;
  }
}
