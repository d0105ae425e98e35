package dev.sublet.offset.merge;

import com.google.common.collect.ImmutableList;
import dev.sublet.liveness.LiveRanges;
import dev.sublet.placement.problem.LoadProfile;
import dev.sublet.plan.Interval;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The bytes that groups of webs occupy at each point. A group occupies its bytes from end to end
 * whenever one of its webs is live.
 *
 * <p>The load does not follow changes of the groups by itself: after a union, the caller replaces
 * the old footprints by the new ones.
 */
final class GroupLoad {

  /** The footprint of a group: its bytes, and the intervals in which one of its webs is live. */
  record Footprint(long bytes, ImmutableList<Interval> live) {}

  private final PlannedWebs webs;
  private final OffsetUnionFind groups;
  private final Occupancy occupancy;
  private final LoadProfile load;

  /** Makes the load of the present groups of the planned webs. O(intervals × log). */
  GroupLoad(PlannedWebs webs, OffsetUnionFind groups, Occupancy occupancy) {
    this.webs = webs;
    this.groups = groups;
    this.occupancy = occupancy;
    this.load = new LoadProfile(webs.ranges().endPoint());
    BitSet seen = new BitSet();
    for (int web = 0; web < webs.count(); web++) {
      if (webs.isPlanned(web) && !seen.get(groups.group(web))) {
        seen.set(groups.group(web));
        add(footprint(web), 1);
      }
    }
  }

  /** Returns the footprints of the groups that some webs are in now, each once. */
  List<Footprint> footprints(Set<Integer> someWebs) {
    Set<Integer> seen = new LinkedHashSet<>();
    List<Footprint> footprints = new ArrayList<>();
    for (int web : someWebs) {
      if (seen.add(groups.group(web))) {
        footprints.add(footprint(web));
      }
    }
    return footprints;
  }

  private Footprint footprint(int web) {
    LiveRanges ranges = webs.ranges();
    long first = Long.MAX_VALUE;
    long end = Long.MIN_VALUE;
    List<Interval> intervals = new ArrayList<>();
    for (int member : groups.members(web)) {
      first = Math.min(first, groups.offset(member));
      end = Math.max(end, groups.offset(member) + webs.bytes(member));
      for (int i = ranges.firstInterval(member); i < ranges.endInterval(member); i++) {
        intervals.add(new Interval(ranges.begin(i), occupancy.end(i)));
      }
    }
    return new Footprint(end - first, Interval.union(intervals));
  }

  /**
   * Replaces footprints by others unless that raises the peak of the load over the points of the
   * new footprints. Returns whether it did. O(intervals × log).
   */
  boolean replaceIfNotHigher(List<Footprint> before, List<Footprint> after) {
    int begin = Integer.MAX_VALUE;
    int end = 0;
    for (Footprint footprint : after) {
      begin = Math.min(begin, footprint.live().get(0).begin());
      end = Math.max(end, footprint.live().get(footprint.live().size() - 1).end());
    }
    long most = load.greatest(begin, end);
    replace(before, after);
    if (load.greatest(begin, end) <= most) {
      return true;
    }
    replace(after, before);
    return false;
  }

  private void replace(List<Footprint> before, List<Footprint> after) {
    before.forEach(footprint -> add(footprint, -1));
    after.forEach(footprint -> add(footprint, 1));
  }

  private void add(Footprint footprint, int sign) {
    for (Interval interval : footprint.live()) {
      load.add(interval.begin(), interval.end(), sign * footprint.bytes());
    }
  }
}
