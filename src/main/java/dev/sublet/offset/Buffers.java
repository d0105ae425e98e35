package dev.sublet.offset;

import dev.sublet.liveness.IntervalTable;
import dev.sublet.liveness.LiveRanges;
import dev.sublet.offset.merge.MergedWebs;
import dev.sublet.offset.merge.PlannedWebs;
import dev.sublet.placement.problem.PlanningProblem;
import java.util.Arrays;

/**
 * The buffers that a planner places: the groups of webs that in-place pairs and views have put
 * together, in the order of their first webs.
 *
 * <p>A buffer is live whenever one of its webs is live. It reaches from the first byte of any of
 * its webs to the last byte of any.
 */
final class Buffers {

  private final int[] bufferOfWeb;
  private final int[] firstWebs;
  private final long[] begins;
  private final long[] ends;
  private final PlannedWebs planned;
  private final MergedWebs merged;
  private final IntervalTable intervals;
  private int count;

  /** Makes the buffers of the planned webs. O(intervals × log). */
  Buffers(PlannedWebs planned, MergedWebs merged) {
    LiveRanges ranges = planned.ranges();
    int webs = planned.count();
    this.bufferOfWeb = new int[webs];
    this.firstWebs = new int[webs];
    this.begins = new long[webs];
    this.ends = new long[webs];
    this.planned = planned;
    this.merged = merged;
    int[] bufferOfGroup = new int[webs];
    Arrays.fill(bufferOfGroup, -1);
    Arrays.fill(bufferOfWeb, -1);
    IntervalTable.Builder builder = IntervalTable.builder();
    for (int web = 0; web < webs; web++) {
      if (!planned.isPlanned(web)) {
        continue;
      }
      int group = merged.group(web);
      if (bufferOfGroup[group] < 0) {
        firstWebs[count] = web;
        begins[count] = Long.MAX_VALUE;
        ends[count] = Long.MIN_VALUE;
        bufferOfGroup[group] = count++;
      }
      int buffer = bufferOfGroup[group];
      bufferOfWeb[web] = buffer;
      begins[buffer] = Math.min(begins[buffer], merged.offset(web));
      ends[buffer] = Math.max(ends[buffer], merged.offset(web) + planned.bytes(web));
      for (int i = ranges.firstInterval(web); i < ranges.endInterval(web); i++) {
        builder.add(buffer, ranges.begin(i), ranges.end(i));
      }
    }
    this.intervals = builder.build(count);
  }

  int count() {
    return count;
  }

  /** The buffer of a web, or -1 if it is not planned. */
  int buffer(int web) {
    return bufferOfWeb[web];
  }

  /** The memory space of a buffer. */
  String place(int buffer) {
    return planned.place(planned.variable(firstWebs[buffer]));
  }

  /** The webs of some buffers, ascending. O(webs). */
  int[][] webs(int[] buffers) {
    int[] sizes = new int[count];
    for (int buffer : bufferOfWeb) {
      if (buffer >= 0) {
        sizes[buffer]++;
      }
    }
    int[][] webs = new int[count][];
    for (int buffer = 0; buffer < count; buffer++) {
      webs[buffer] = new int[sizes[buffer]];
    }
    for (int web = bufferOfWeb.length - 1; web >= 0; web--) {
      if (bufferOfWeb[web] >= 0) {
        webs[bufferOfWeb[web]][--sizes[bufferOfWeb[web]]] = web;
      }
    }
    int[][] result = new int[buffers.length][];
    for (int i = 0; i < buffers.length; i++) {
      result[i] = webs[buffers[i]];
    }
    return result;
  }

  /** The distance in bytes from the beginning of a web's buffer to the beginning of the web. */
  long distance(int web) {
    return merged.offset(web) - begins[bufferOfWeb[web]];
  }

  /**
   * The home region of each buffer: the innermost region that contains all its intervals, and in
   * whose block, or in blocks inside it, all its variables are declared.
   *
   * <p>A variable that is live across runs of its block, such as one that is kept for a gradient,
   * is thus a buffer of a region around that block. O(webs × depth).
   */
  int[] homes(RegionTree tree) {
    int[] homes = new int[count];
    Arrays.fill(homes, -1);
    for (int web = 0; web < bufferOfWeb.length; web++) {
      int buffer = bufferOfWeb[web];
      if (buffer >= 0) {
        int block = planned.program().variable(planned.variable(web)).id().block();
        int region = Math.max(0, planned.graph().regionOfBlock(block));
        homes[buffer] = homes[buffer] < 0 ? region : tree.common(homes[buffer], region);
      }
    }
    for (int buffer = 0; buffer < count; buffer++) {
      int begin = intervals.begin(intervals.firstInterval(buffer));
      int end = intervals.end(intervals.endInterval(buffer) - 1);
      homes[buffer] = tree.around(homes[buffer], begin, end);
    }
    return homes;
  }

  /** Adds a buffer to a problem. */
  void addTo(PlanningProblem.Builder problem, int buffer) {
    problem.addBuffer(ends[buffer] - begins[buffer]);
    for (int i = intervals.firstInterval(buffer); i < intervals.endInterval(buffer); i++) {
      problem.addInterval(intervals.begin(i), intervals.end(i));
    }
  }
}
