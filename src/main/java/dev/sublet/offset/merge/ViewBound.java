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
 * A lower bound on the arena that holds for all plans, whichever views and in-place pairs they
 * take. It is the {@link LowerBound} of a problem with these buffers:
 *
 * <p>Webs that some choice of views could put into common bytes get coordinates: the distances at
 * which the views would put them. If a plan puts two webs at a fixed distance, it is the distance
 * of their coordinates; webs without a fixed distance do not overlap at all. So the webs of a set
 * that are live at a point need at least the bytes of the coordinates that they cover together. If
 * views contradict each other, all webs of the set begin at coordinate 0, so that only the largest
 * one counts.
 *
 * <pre>{@code
 * a, b = split(x)     x at [0, 128), a at [0, 64), b at [64, 128)
 * byte ranges         [0, 64) is live whenever x or a is, [64, 128) whenever x or b is
 * }</pre>
 *
 * <p>The coordinates are cut where a web begins and where it ends, rounded up to the alignment.
 * Each byte range between two cuts is a buffer that is live whenever a web that covers it is live.
 * Its size is that of the range, less the padding of the webs that end with it, because {@link
 * LowerBound} allows for the padding that the topmost buffer does not need.
 */
final class ViewBound {

  /** In a set of more webs than this, only the largest counts. */
  private static final int MAX_WEBS = 512;

  private final PlannedWebs webs;
  private final Occupancy occupancy;
  private final ViewWrites writes;
  private final long alignment;
  private final OffsetUnionFind groups;

  /** The groups whose views contradict each other. */
  private final BitSet contradicts = new BitSet();

  private ViewBound(PlannedWebs webs, Occupancy occupancy, long alignment) {
    this.webs = webs;
    this.occupancy = occupancy;
    this.writes = new ViewWrites(webs);
    this.alignment = alignment;
    this.groups = new OffsetUnionFind(webs.count());
  }

  /**
   * Makes the bound. O(webs × log), and quadratic in the webs that are connected by views.
   *
   * @param merger the in-place pairs and requested aliases of the plans
   * @param kind which views may be taken
   */
  static ViewBound of(PlannedWebs webs, InPlaceCoalescer merger, Views kind, long alignment) {
    ViewBound bound = new ViewBound(webs, merger.occupancy(), alignment);
    if (kind != Views.NONE && webs.sizes().hasViews()) {
      bound.connect(kind);
    }
    for (WebView view : merger.requestedViews()) {
      bound.connect(view.from(), view.to(), view.distance());
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

  /**
   * Whether a write of the first web that is no view happens while the other web is surely live.
   */
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

  /**
   * Returns a lower bound on the bytes that some of the planned webs need, without regard to the
   * others.
   */
  long of(IntPredicate isIncluded) {
    PlanningProblem.Builder problem = PlanningProblem.builder(alignment);
    BitSet seen = new BitSet();
    for (int web = 0; web < webs.count(); web++) {
      if (!webs.isPlanned(web) || !isIncluded.test(web)) {
        continue;
      }
      if (groups.size(web) == 1) {
        addAlone(problem, web);
      } else if (!seen.get(groups.group(web))) {
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
          addRanges(problem, members, contradicts.get(groups.group(web)));
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
    addAlone(problem, largest);
  }

  private void addAlone(PlanningProblem.Builder problem, int web) {
    if (webs.bytes(web) > 0) {
      addBuffer(problem, webs.bytes(web), occupancy.intervalsForBound(web));
    }
  }

  private void addRanges(PlanningProblem.Builder problem, List<Integer> members, boolean atZero) {
    if (members.size() == 1) {
      addAlone(problem, members.get(0));
      return;
    }
    TreeSet<Long> cuts = new TreeSet<>();
    for (int web : members) {
      long begin = atZero ? 0 : groups.offset(web);
      cuts.add(begin);
      cuts.add(begin + align(web));
    }
    long begin = cuts.first();
    for (long end : cuts.tailSet(begin, /* inclusive= */ false)) {
      addRange(problem, members, atZero, begin, end);
      begin = end;
    }
  }

  private long align(int web) {
    return PlanningProblem.align(webs.bytes(web), alignment);
  }

  private void addRange(
      PlanningProblem.Builder problem,
      List<Integer> members,
      boolean atZero,
      long begin,
      long end) {
    long topmost = end;
    List<Interval> intervals = new ArrayList<>();
    for (int web : members) {
      long first = atZero ? 0 : groups.offset(web);
      long paddedEnd = first + align(web);
      if (first <= begin && end <= paddedEnd) {
        topmost = end == paddedEnd ? Math.min(topmost, first + webs.bytes(web)) : topmost;
        intervals.addAll(occupancy.intervalsForBound(web));
      }
    }
    addBuffer(problem, topmost - begin, Interval.union(intervals));
  }

  private static void addBuffer(
      PlanningProblem.Builder problem, long bytes, ImmutableList<Interval> live) {
    if (!live.isEmpty()) {
      problem.addBuffer(bytes);
      for (Interval interval : live) {
        problem.addInterval(interval.begin(), interval.end());
      }
    }
  }
}
