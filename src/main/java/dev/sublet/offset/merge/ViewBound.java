package dev.sublet.offset.merge;

import com.google.common.collect.ImmutableList;
import dev.sublet.placement.problem.LowerBound;
import dev.sublet.placement.problem.PlanningProblem;
import dev.sublet.plan.Interval;
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
final class ViewBound {

  /** Of a set of more webs than this only the largest counts. */
  private static final int MAX_WEBS = 512;

  private final PlannedWebs webs;
  private final Occupancy occupancy;
  private final ViewWrites writes;
  private final long alignment;
  private final OffsetUnionFind groups;

  /** The groups whose views contradict each other, by their members. */
  private final BitSet contradicts = new BitSet();

  private ViewBound(PlannedWebs webs, Occupancy occupancy, long alignment) {
    this.webs = webs;
    this.occupancy = occupancy;
    this.writes = new ViewWrites(webs);
    this.alignment = alignment;
    this.groups = new OffsetUnionFind(webs.count());
  }

  /**
   * What no plan can go below. O(webs × log), and quadratic in the webs that are connected by
   * views.
   *
   * @param kind which views may be taken
   */
  static ViewBound of(PlannedWebs webs, Occupancy occupancy, Views kind, long alignment) {
    ViewBound bound = new ViewBound(webs, occupancy, alignment);
    if (kind != Views.NONE && webs.sizes().hasViews()) {
      bound.connect(kind);
    }
    return bound;
  }

  private void connect(Views kind) {
    for (int node = 0; node < webs.graph().nodeCount(); node++) {
      for (WebView view : WebView.of(webs, node)) {
        int from = view.from();
        int to = view.to();
        if (kind.includes(view.view())
            && from != to
            && view.distance() % alignment == 0
            && webs.areAtOnePlace(webs.variable(from), webs.variable(to))
            && !isNeverLegal(from, to)
            && !isNeverLegal(to, from)) {
          connect(from, to, view.distance());
        }
      }
    }
  }

  /** Whether a write that is no view of anything takes the first web while the other is live. */
  private boolean isNeverLegal(int writer, int victim) {
    for (int node : writes.nodes(writer)) {
      if (!writes.hasViews(writer, node)
          && occupancy.isSurelyLive(victim, ViewWrites.point(node))) {
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
  long of(IntPredicate isIncluded) {
    PlanningProblem.Builder problem = PlanningProblem.builder(alignment);
    BitSet seen = new BitSet();
    for (int web = 0; web < webs.count(); web++) {
      if (webs.isPlanned(web) && isIncluded.test(web) && !seen.get(groups.group(web))) {
        seen.set(groups.group(web));
        List<Integer> members = new ArrayList<>();
        for (int member : groups.members(web)) {
          if (isIncluded.test(member)) {
            members.add(member);
          }
        }
        if (members.size() > MAX_WEBS) {
          addLargest(problem, members);
        } else {
          addStretches(problem, members, contradicts.get(groups.group(web)));
        }
      }
    }
    return LowerBound.of(problem.build());
  }

  private void addLargest(PlanningProblem.Builder problem, List<Integer> members) {
    int largest = members.get(0);
    for (int web : members) {
      largest = webs.bytes(web) > webs.bytes(largest) ? web : largest;
    }
    addStretches(problem, List.of(largest), /* atZero= */ true);
  }

  private void addStretches(
      PlanningProblem.Builder problem, List<Integer> members, boolean atZero) {
    TreeSet<Long> cuts = new TreeSet<>();
    for (int web : members) {
      long begin = atZero ? 0 : groups.offset(web);
      cuts.add(begin);
      cuts.add(begin + PlanningProblem.align(webs.bytes(web), alignment));
    }
    long begin = cuts.first();
    for (long end : cuts.tailSet(begin, /* inclusive= */ false)) {
      addStretch(problem, members, atZero, begin, end);
      begin = end;
    }
  }

  private void addStretch(
      PlanningProblem.Builder problem,
      List<Integer> members,
      boolean atZero,
      long begin,
      long end) {
    long topmost = end;
    List<Interval> intervals = new ArrayList<>();
    for (int web : members) {
      long first = atZero ? 0 : groups.offset(web);
      long paddedEnd = first + PlanningProblem.align(webs.bytes(web), alignment);
      if (first <= begin && end <= paddedEnd) {
        topmost = end == paddedEnd ? Math.min(topmost, first + webs.bytes(web)) : topmost;
        intervals.addAll(occupancy.intervalsForBound(web));
      }
    }
    ImmutableList<Interval> live = Interval.union(intervals);
    if (!live.isEmpty()) {
      problem.addBuffer(topmost - begin);
      for (Interval interval : live) {
        problem.addInterval(interval.begin(), interval.end());
      }
    }
  }
}
