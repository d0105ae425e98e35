package dev.sublet.placement.greedy;

import dev.sublet.placement.problem.PlanningProblem;
import java.util.Arrays;

/**
 * The bytes that the buffers placed so far occupy, by time: a segment tree over the points.
 *
 * <p>Each leaf is a range of points; the leaves contain equally many interval bounds. An interval
 * is stored
 *
 * <ul>
 *   <li>at every node that it touches, in the node's {@code touched} bytes;
 *   <li>at the largest nodes of a <em>cover level</em> that it covers fully, in their {@code
 *       covered} bytes;
 *   <li>at the first and the last leaf that it touches, together with its time, if it covers the
 *       leaf only in part.
 * </ul>
 *
 * <p>The bytes that are occupied during an interval are then a union of a few sorted lists, which
 * {@link GapSweep} walks together: the touched bytes of the nodes that make up the interval, the
 * covered bytes of these nodes' ancestors, and some ranges of the two leaves at the interval's
 * ends. There are only three cover levels (root, middle, leaves) instead of one per tree level, so
 * that a sweep merges two long lists, not ten.
 *
 * <p>With n intervals there are √n to 4√n leaves. With fewer than {@value
 * #MIN_INTERVALS_FOR_LEAVES} intervals there is a single leaf: a sorted list of all ranges with
 * their times. An interval changes O(⁴√n) sets of ranges, and needs memory for as many in the worst
 * case. Because ranges that touch are merged, the memory is far smaller where buffers are packed
 * tightly. A walk costs O(√n + ranges passed).
 */
final class OccupiedBytes {

  private static final int MIN_INTERVALS_FOR_LEAVES = 256;

  private final PlanningProblem problem;

  /**
   * The number at whose multiples ranges end. The padding up to the next legal offset is of no use
   * to a buffer that occupies its own first byte, and as a gap it would keep ranges from touching.
   */
  private final long padding;

  /** The number of tree levels from one cover level to the next. */
  private final int coverLevels;

  private final int leaves;

  /** The first points of the leaves, and the first point after the last leaf. */
  private final int[] bounds;

  private final ByteRangeSet[] touched;
  private final ByteRangeSet[] covered;
  private final TimedByteRanges[] partial;

  /** Creates an empty arena. O(n log n) for n intervals. */
  OccupiedBytes(PlanningProblem problem) {
    this.problem = problem;
    int intervals = problem.intervalCount();
    padding = problem.hasWindows() ? 1 : problem.alignment();
    coverLevels = intervals < MIN_INTERVALS_FOR_LEAVES ? 0 : quarterOfLog(intervals);
    leaves = 1 << (2 * coverLevels);
    bounds = boundsOfLeaves(problem, leaves);
    touched = new ByteRangeSet[2 * leaves];
    covered = new ByteRangeSet[2 * leaves];
    partial = new TimedByteRanges[leaves];
    for (int node = 1; node < 2 * leaves; node++) {
      touched[node] = new ByteRangeSet();
      covered[node] = new ByteRangeSet();
    }
    Arrays.setAll(partial, leaf -> new TimedByteRanges());
  }

  /**
   * A quarter of the binary logarithm, rounded up, which was measured to be faster than rounded
   * down.
   */
  private static int quarterOfLog(int number) {
    int log = 32 - Integer.numberOfLeadingZeros(number - 1);
    return (log + 3) / 4;
  }

  private static int[] boundsOfLeaves(PlanningProblem problem, int leaves) {
    int intervals = problem.intervalCount();
    int[] points = new int[2 * intervals];
    for (int i = 0; i < intervals; i++) {
      points[2 * i] = problem.begin(i);
      points[2 * i + 1] = problem.end(i);
    }
    Arrays.sort(points);
    int[] bounds = new int[leaves + 1];
    for (int leaf = 0; leaf < leaves && intervals > 0; leaf++) {
      bounds[leaf] = points[(int) ((long) leaf * points.length / leaves)];
    }
    bounds[leaves] = intervals == 0 ? 0 : points[points.length - 1];
    return bounds;
  }

  private boolean isCoverLevel(int node) {
    int level = 31 - Integer.numberOfLeadingZeros(node);
    return coverLevels == 0 || level % coverLevels == 0;
  }

  /** Occupies the bytes of a buffer at an offset. No buffer that is live with it may have them. */
  void add(int buffer, long offset) {
    for (int i = problem.firstInterval(buffer); i < problem.endInterval(buffer); i++) {
      long from = Math.addExact(offset, problem.low(i));
      long to = PlanningProblem.align(Math.addExact(offset, problem.high(i)), padding);
      add(/* node= */ 1, /* first= */ 0, leaves, problem.begin(i), problem.end(i), from, to);
    }
  }

  private void add(int node, int first, int width, int begin, int end, long from, long to) {
    int nodeBegin = bounds[first];
    int nodeEnd = bounds[first + width];
    if (end <= nodeBegin || nodeEnd <= begin || nodeBegin == nodeEnd) {
      return;
    }
    touched[node].add(from, to);
    if (begin <= nodeBegin && nodeEnd <= end && isCoverLevel(node)) {
      covered[node].add(from, to);
    } else if (width == 1) {
      partial[first].add(from, to, begin, end);
    } else {
      int half = width / 2;
      add(2 * node, first, half, begin, end, from, to);
      add(2 * node + 1, first + half, half, begin, end, from, to);
    }
  }

  /** Adds to a sweep all bytes that are occupied while a buffer is live. */
  void collect(int buffer, GapSweep sweep) {
    for (int i = problem.firstInterval(buffer); i < problem.endInterval(buffer); i++) {
      sweep.setWindow(problem.low(i), problem.high(i));
      collect(/* node= */ 1, /* first= */ 0, leaves, problem.begin(i), problem.end(i), sweep);
    }
  }

  private void collect(int node, int first, int width, int begin, int end, GapSweep sweep) {
    int nodeBegin = bounds[first];
    int nodeEnd = bounds[first + width];
    if (end <= nodeBegin || nodeEnd <= begin || nodeBegin == nodeEnd) {
      return;
    }
    if (begin <= nodeBegin && nodeEnd <= end) {
      sweep.add(touched[node]);
      return;
    }
    if (isCoverLevel(node)) {
      sweep.add(covered[node]);
    }
    if (width == 1) {
      ByteRangeSet occupied = sweep.scratch();
      partial[first].collect(begin, end, occupied);
      sweep.add(occupied);
      return;
    }
    int half = width / 2;
    collect(2 * node, first, half, begin, end, sweep);
    collect(2 * node + 1, first + half, half, begin, end, sweep);
  }
}
