package dev.sublet.placement.search;

import com.google.common.math.LongMath;
import dev.sublet.placement.problem.InterferenceGraph;
import dev.sublet.placement.problem.IntervalIndex;
import dev.sublet.placement.problem.PlanningProblem;
import dev.sublet.placement.problem.SortedPoints;
import java.util.Arrays;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A problem in the form that the search uses: sizes and offsets in units, time in sections.
 *
 * <p>If every buffer of a placement lies as low as the buffers below it allow, all offsets are
 * multiples of one number, the unit. It is the greatest common divisor of the numbers whose sums
 * the offsets are.
 *
 * <p>A section is a range of points at which the same buffers are live. A section whose buffers are
 * all live in an adjacent section is left out. The sections of a buffer form a few ranges, its
 * spans.
 *
 * <p>Arrays are indexed by buffer, or are rows: the entries of buffer b are at {@code rows[b]} to
 * before {@code rows[b + 1]}.
 *
 * <p>Must not be changed after it is built. O(intervals × log + pairs of buffers live together +
 * sum of the buffers live in each section) to build, and as much memory.
 */
final class SearchModel {

  /** The bound of offsets in units, so that a sum of two fits an int. */
  private static final long MAX_UNITS = 1 << 29;

  /** The maximum number of stored pairs of intervals that overlap. */
  private static final long MAX_PAIRS = 20_000_000;

  /** The maximum number of buffers, because a search covers only a small part of such a problem. */
  static final int MAX_BUFFERS = 200_000;

  final PlanningProblem problem;
  final int count;

  /** The bytes of a unit. */
  final long unit;

  final int[] heights;
  final int[] alignments;

  /** By buffer: the pinned offset in units, or -1 if it is not pinned. */
  final int[] pins;

  final int sections;

  final int[] spanRows;
  final int[] spanFirst;
  final int[] spanLast;

  /** The first unit that a buffer occupies during a span, rounded down. */
  private final int[] spanLow;

  /** The first unit after those, rounded down unless it is the buffer's own end. */
  final int[] spanHigh;

  /** The number of units that a buffer occupies during a span, rounded down. */
  final int[] spanUnits;

  final int[] neighborRows;
  final int[] neighbors;

  /**
   * The least distance in units by which a neighbor that lies above a buffer must exceed its
   * offset.
   */
  final int[] clearances;

  /** Whether a neighbor may lie above a buffer at the same offset, as windows allow. */
  final boolean[] hasClearanceOfZero;

  /** The buffers of each section, as rows, and the first unit that they occupy there. */
  final int[] memberRows;

  final int[] members;
  final int[] memberLows;

  /** The number of units that are occupied in each section. */
  final int[] loads;

  /** By buffer: its twin, the last buffer before it that can be exchanged with it, or -1. */
  final int[] twins;

  private SearchModel(PlanningProblem problem, long unit) {
    this.problem = problem;
    this.unit = unit;
    count = problem.bufferCount();
    heights = new int[count];
    alignments = new int[count];
    pins = new int[count];
    for (int b = 0; b < count; b++) {
      heights[b] = unitsUp(problem.size(b));
      long alignment = problem.alignment(b);
      // Cap at the bound of offsets: 0 is the only offset that is a multiple of a larger alignment.
      alignments[b] = unit % alignment == 0 ? 1 : (int) Math.min(MAX_UNITS, alignment / unit);
      pins[b] = problem.isPinned(b) ? (int) (problem.pin(b) / unit) : -1;
    }
    int[] starts = findSections(problem);
    sections = starts.length;
    loads = new int[sections];
    spanRows = new int[count + 1];
    spanFirst = new int[problem.intervalCount()];
    spanLast = new int[spanFirst.length];
    spanLow = new int[spanFirst.length];
    spanHigh = new int[spanFirst.length];
    spanUnits = new int[spanFirst.length];
    findSpans(SortedPoints.of(starts));
    memberRows = new int[sections + 1];
    members = new int[countMembers()];
    memberLows = new int[members.length];
    findMembers();
    neighborRows = new int[count + 1];
    neighbors = findNeighbors();
    clearances = new int[neighbors.length];
    hasClearanceOfZero = new boolean[count];
    findClearances();
    twins = findTwins();
  }

  /**
   * Returns the model of a problem, or null if the problem is too large to be searched.
   *
   * @param arenaBytes the arena of a known placement
   */
  static @Nullable SearchModel of(PlanningProblem problem, long arenaBytes) {
    long unit = findUnit(problem);
    boolean isTooLarge =
        problem.bufferCount() > MAX_BUFFERS
            || arenaBytes / unit >= MAX_UNITS
            || InterferenceGraph.countPairs(problem) > MAX_PAIRS;
    return isTooLarge ? null : new SearchModel(problem, unit);
  }

  /** The first section of a buffer. */
  int first(int buffer) {
    return spanFirst[spanRows[buffer]];
  }

  /** The last section of a buffer. */
  int last(int buffer) {
    return spanLast[spanRows[buffer + 1] - 1];
  }

  /**
   * Returns the unit. Offsets are sums of padded sizes above offset 0 or above pins, rounded up to
   * alignments. If the unit is a multiple of an alignment, rounding up to that alignment changes
   * nothing; any other alignment must be a multiple of the unit. With windows, clearances are
   * rounded up to the common alignment, which is the unit.
   */
  private static long findUnit(PlanningProblem problem) {
    if (problem.hasWindows()) {
      return problem.alignment();
    }
    long unit = 0;
    for (int b = 0; b < problem.bufferCount(); b++) {
      unit = LongMath.gcd(unit, problem.align(problem.size(b)));
      unit = problem.isPinned(b) ? LongMath.gcd(unit, problem.pin(b)) : unit;
    }
    unit = Math.max(unit, 1);
    long before;
    do {
      before = unit;
      for (int b = 0; b < problem.bufferCount(); b++) {
        if (unit % problem.alignment(b) != 0) {
          unit = LongMath.gcd(unit, problem.alignment(b));
        }
      }
    } while (unit != before);
    return unit;
  }

  private int unitsUp(long bytes) {
    return (int) ((bytes + unit - 1) / unit);
  }

  /**
   * Returns the points at which sections begin. At such a point an interval begins, and an interval
   * ends after it but not after the next begin.
   */
  private static int[] findSections(PlanningProblem problem) {
    int n = problem.intervalCount();
    int[] begins = new int[n];
    int[] ends = new int[n];
    for (int i = 0; i < n; i++) {
      begins[i] = problem.begin(i);
      ends[i] = problem.end(i);
    }
    Arrays.sort(begins);
    Arrays.sort(ends);
    int[] starts = new int[n];
    int found = 0;
    int begun = 0;
    for (int e = 0; e < n; e++) {
      int before = begun;
      while (begun < n && begins[begun] < ends[e]) {
        begun++;
      }
      if (begun > before) {
        starts[found++] = begins[begun - 1];
      }
    }
    return Arrays.copyOf(starts, found);
  }

  private void findSpans(SortedPoints starts) {
    int next = 0;
    for (int b = 0; b < count; b++) {
      spanRows[b] = next;
      for (int i = problem.firstInterval(b); i < problem.endInterval(b); i++) {
        spanFirst[next] = starts.countBelow(problem.begin(i));
        spanLast[next] = starts.countBelow(problem.end(i)) - 1;
        boolean isWhole = problem.low(i) == 0 && problem.high(i) == problem.size(b);
        spanLow[next] = (int) (problem.low(i) / unit);
        spanHigh[next] = isWhole ? heights[b] : (int) (problem.high(i) / unit);
        spanUnits[next] = isWhole ? heights[b] : (int) (problem.bytes(i) / unit);
        for (int s = spanFirst[next]; s <= spanLast[next]; s++) {
          loads[s] += spanUnits[next];
        }
        next++;
      }
    }
    spanRows[count] = next;
  }

  private int countMembers() {
    for (int span = 0; span < spanFirst.length; span++) {
      for (int s = spanFirst[span]; s <= spanLast[span]; s++) {
        memberRows[s + 1]++;
      }
    }
    for (int s = 0; s < sections; s++) {
      memberRows[s + 1] += memberRows[s];
    }
    return memberRows[sections];
  }

  private void findMembers() {
    int[] next = Arrays.copyOf(memberRows, sections);
    for (int b = 0; b < count; b++) {
      for (int span = spanRows[b]; span < spanRows[b + 1]; span++) {
        for (int s = spanFirst[span]; s <= spanLast[span]; s++) {
          members[next[s]] = b;
          memberLows[next[s]++] = spanLow[span];
        }
      }
    }
  }

  /** Returns the offsets of all buffers in bytes. */
  long[] inBytes(IntUnaryOperator offsetInUnits) {
    long[] offsets = new long[count];
    Arrays.setAll(offsets, b -> offsetInUnits.applyAsInt(b) * unit);
    return offsets;
  }

  private int[] findNeighbors() {
    IntervalIndex index = new IntervalIndex(problem);
    int[] found = new int[64];
    int[] all = new int[16 * count + 16];
    int[] seen = new int[count];
    Arrays.fill(seen, -1);
    int next = 0;
    for (int b = 0; b < count; b++) {
      neighborRows[b] = next;
      seen[b] = b;
      int hits = 0;
      for (int i = problem.firstInterval(b); i < problem.endInterval(b); i++) {
        found = index.collect(problem.begin(i), problem.end(i), found, hits);
        hits = index.hits();
      }
      if (next + hits > all.length) {
        all = Arrays.copyOf(all, Math.max(2 * all.length, next + hits));
      }
      for (int k = 0; k < hits; k++) {
        if (seen[found[k]] != b) {
          seen[found[k]] = b;
          all[next++] = found[k];
        }
      }
    }
    neighborRows[count] = next;
    return Arrays.copyOf(all, next);
  }

  private void findClearances() {
    for (int b = 0; b < count; b++) {
      for (int i = neighborRows[b]; i < neighborRows[b + 1]; i++) {
        clearances[i] =
            problem.hasWindows() ? unitsUp(problem.clearance(b, neighbors[i])) : heights[b];
        hasClearanceOfZero[b] |= clearances[i] == 0;
      }
    }
  }

  private int[] findTwins() {
    int[] found = new int[count];
    for (int b = 0; b < count; b++) {
      found[b] = -1;
      int s = first(b);
      // Twins are members of the same section, in ascending order.
      for (int i = memberRows[s]; i < memberRows[s + 1] && members[i] < b; i++) {
        if (areTwins(members[i], b)) {
          found[b] = members[i];
        }
      }
    }
    return found;
  }

  private boolean areTwins(int a, int b) {
    int spans = spanRows[a + 1] - spanRows[a];
    if (problem.size(a) != problem.size(b)
        || alignments[a] != alignments[b]
        || pins[a] >= 0
        || pins[b] >= 0
        || spans != spanRows[b + 1] - spanRows[b]) {
      return false;
    }
    for (int i = 0; i < spans; i++) {
      int x = spanRows[a] + i;
      int y = spanRows[b] + i;
      int first = problem.firstInterval(a) + i;
      int second = problem.firstInterval(b) + i;
      if (spanFirst[x] != spanFirst[y]
          || spanLast[x] != spanLast[y]
          || problem.low(first) != problem.low(second)
          || problem.high(first) != problem.high(second)) {
        return false;
      }
    }
    return true;
  }
}
