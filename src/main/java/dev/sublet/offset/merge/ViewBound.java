package dev.sublet.offset.merge;

import com.google.common.collect.ImmutableList;
import dev.sublet.cfg.ControlFlowGraph;
import dev.sublet.liveness.LiveRanges;
import dev.sublet.liveness.Liveness;
import dev.sublet.operator.View;
import dev.sublet.placement.problem.LowerBound;
import dev.sublet.placement.problem.PlanningProblem;
import dev.sublet.plan.Interval;
import dev.sublet.program.Operation;
import dev.sublet.shape.Places;
import dev.sublet.shape.Sizes;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.TreeSet;
import java.util.function.IntPredicate;

/**
 * The buffers whose {@link LowerBound} no plan can go below, whichever views and in-place pairs it
 * takes.
 *
 * <p>Webs that some choice of views could put into common bytes are given coordinates: the distance
 * that each view would put them at. Whatever is chosen, webs that end up at fixed distances from
 * each other have those of their coordinates, and the others do not overlap at all; so the bytes of
 * those live at a point are at least the coordinates that they cover together. Where views
 * contradict each other all begin at coordinate 0, which leaves the largest one.
 *
 * <p>The coordinates are cut where a web begins or, rounded up to the alignment, ends. Each stretch
 * is a buffer that is live whenever a web that covers it is. Its size is as little below the
 * stretch's as the last byte of a web that ends in it, so that {@link LowerBound} allows for the
 * padding that the topmost buffer does not need.
 */
public final class ViewBound {

  /** Of a set of more webs than this only the largest counts. */
  private static final int MAX_WEBS = 512;

  private final ControlFlowGraph graph;
  private final LiveRanges ranges;
  private final Sizes sizes;
  private final Places places;
  private final int[] variableOfWeb;
  private final long[] bytesOfWeb;
  private final WebMerger merger;
  private final ViewWrites writes;
  private final Views kind;
  private final long alignment;
  private final RigidGroups groups;

  /** The groups whose views contradict each other, by their members. */
  private final BitSet contradicts = new BitSet();

  private ViewBound(
      Liveness liveness,
      Sizes sizes,
      Places places,
      int[] variableOfWeb,
      long[] bytesOfWeb,
      WebMerger merger,
      Views kind,
      long alignment) {
    this.graph = liveness.graph();
    this.ranges = liveness.ranges();
    this.sizes = sizes;
    this.places = places;
    this.variableOfWeb = variableOfWeb;
    this.bytesOfWeb = bytesOfWeb;
    this.merger = merger;
    this.writes = new ViewWrites(liveness, sizes, variableOfWeb);
    this.kind = kind;
    this.alignment = alignment;
    this.groups = new RigidGroups(ranges.webCount());
  }

  /**
   * What no plan can go below. O(webs × log), and quadratic in the webs that are connected by
   * views.
   */
  public static ViewBound of(
      Liveness liveness,
      Sizes sizes,
      Places places,
      int[] variableOfWeb,
      long[] bytesOfWeb,
      WebMerger merger,
      Views kind,
      long alignment) {
    ViewBound bound =
        new ViewBound(liveness, sizes, places, variableOfWeb, bytesOfWeb, merger, kind, alignment);
    if (kind != Views.NONE && sizes.hasViews()) {
      bound.connect();
    }
    return bound;
  }

  private void connect() {
    for (int node = 0; node < graph.nodeCount(); node++) {
      Operation operation = graph.operation(node);
      if (graph.regionAtHead(node) >= 0 || graph.regionAtExit(node) >= 0) {
        continue;
      }
      for (View view : sizes.views(operation)) {
        int from = writes.source(operation, node, view);
        int to = writes.target(operation, node, view);
        if (kind.includes(view)
            && from >= 0
            && to >= 0
            && from != to
            && view.offset() % alignment == 0
            && places.areSame(variableOfWeb[from], variableOfWeb[to])
            && !isNeverLegal(from, to)
            && !isNeverLegal(to, from)) {
          connect(from, to, view.offset());
        }
      }
    }
  }

  /** Whether a write that is no view of anything takes the first web while the other is live. */
  private boolean isNeverLegal(int writer, int victim) {
    for (int node : writes.nodes(writer)) {
      if (!writes.hasViews(writer, node) && merger.isSurelyLive(victim, ViewWrites.point(node))) {
        return true;
      }
    }
    return false;
  }

  private void connect(int from, int to, long distance) {
    boolean contradiction =
        contradicts.get(groups.group(from)) || contradicts.get(groups.group(to));
    if (groups.group(from) != groups.group(to)) {
      groups.unite(from, to, distance);
    } else {
      contradiction |= groups.offset(to) - groups.offset(from) != distance;
    }
    contradicts.set(groups.group(from), contradiction);
  }

  /** The bytes that some of the planned webs need, if they are alone. */
  public long of(IntPredicate isIncluded) {
    PlanningProblem.Builder problem = PlanningProblem.builder(alignment);
    BitSet seen = new BitSet();
    for (int web = 0; web < ranges.webCount(); web++) {
      if (variableOfWeb[web] >= 0 && isIncluded.test(web) && !seen.get(groups.group(web))) {
        seen.set(groups.group(web));
        List<Integer> webs = new ArrayList<>();
        for (int member : groups.members(web)) {
          if (isIncluded.test(member)) {
            webs.add(member);
          }
        }
        if (webs.size() > MAX_WEBS) {
          addLargest(problem, webs);
        } else {
          addStretches(problem, webs, contradicts.get(groups.group(web)));
        }
      }
    }
    return LowerBound.of(problem.build());
  }

  private void addLargest(PlanningProblem.Builder problem, List<Integer> webs) {
    int largest = webs.get(0);
    for (int web : webs) {
      largest = bytesOfWeb[web] > bytesOfWeb[largest] ? web : largest;
    }
    addStretches(problem, List.of(largest), /* atZero= */ true);
  }

  private void addStretches(PlanningProblem.Builder problem, List<Integer> webs, boolean atZero) {
    TreeSet<Long> cuts = new TreeSet<>();
    for (int web : webs) {
      long begin = atZero ? 0 : groups.offset(web);
      cuts.add(begin);
      cuts.add(begin + padded(bytesOfWeb[web]));
    }
    long begin = cuts.first();
    for (long end : cuts.tailSet(begin, /* inclusive= */ false)) {
      addStretch(problem, webs, atZero, begin, end);
      begin = end;
    }
  }

  private void addStretch(
      PlanningProblem.Builder problem, List<Integer> webs, boolean atZero, long begin, long end) {
    long topmost = end;
    List<Interval> intervals = new ArrayList<>();
    for (int web : webs) {
      long first = atZero ? 0 : groups.offset(web);
      long paddedEnd = first + padded(bytesOfWeb[web]);
      if (first <= begin && end <= paddedEnd) {
        topmost = end == paddedEnd ? Math.min(topmost, first + bytesOfWeb[web]) : topmost;
        intervals.addAll(merger.intervalsForBound(web));
      }
    }
    ImmutableList<Interval> live = Intervals.union(intervals);
    if (!live.isEmpty()) {
      problem.addBuffer(topmost - begin);
      for (Interval interval : live) {
        problem.addInterval(interval.begin(), interval.end());
      }
    }
  }

  private long padded(long bytes) {
    long remainder = bytes % alignment;
    return remainder == 0 ? bytes : Math.addExact(bytes, alignment - remainder);
  }
}
