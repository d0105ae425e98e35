package dev.sublet.sharing;

import dev.sublet.liveness.IntervalTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Groups over all live ranges at once: variables by descending bytes, each joins the compatible
 * group in which it wastes least; then groups are emptied where their members fit elsewhere.
 *
 * <p>The interference relation is never built: a group keeps its members' intervals in a sorted
 * map, and a variable is compatible if its intervals meet none of them, save the one point at which
 * a legal in-place pair touches.
 *
 * <p>O(tests × log n) with one test a variable and group at worst. The number of tests is capped;
 * beyond the cap there is no result.
 *
 * <p>Source: the greedy-by-size rule of Paddle's inference memory pass, with in-place pairs and
 * with holes in live ranges used.
 */
final class GlobalPolicy {

  /** A group under construction: its intervals by first point. */
  private static final class Group {
    final List<Integer> members = new ArrayList<>();
    final TreeMap<Integer, long[]> intervals = new TreeMap<>();
    long capacity;
    boolean keepsName;
  }

  private final Candidates candidates;
  private final IntervalTable ranges;
  private final InPlaceTable inPlace;
  private long testsLeft;
  private long improvementTestsLeft;

  private GlobalPolicy(
      Candidates candidates, IntervalTable ranges, InPlaceTable inPlace, long maxTests) {
    this.candidates = candidates;
    this.ranges = ranges;
    this.inPlace = inPlace;
    this.testsLeft = maxTests;
    this.improvementTestsLeft = maxTests;
  }

  /** Finds the groups, or returns null if that would take more tests than allowed. */
  static @Nullable Grouping group(
      Candidates candidates, IntervalTable ranges, InPlaceTable inPlace, long maxTests) {
    GlobalPolicy policy = new GlobalPolicy(candidates, ranges, inPlace, maxTests);
    List<List<Integer>> groups = new ArrayList<>();
    for (List<Integer> members : candidates.byClass()) {
      List<Group> found = policy.groupClass(members);
      if (policy.testsLeft < 0) {
        return null;
      }
      policy.emptyGroups(found);
      for (Group group : found) {
        groups.add(group.members);
      }
    }
    return Grouping.of(groups, candidates);
  }

  private List<Group> groupClass(List<Integer> members) {
    List<Integer> sorted = new ArrayList<>(members);
    sorted.sort(
        Comparator.<Integer>comparingLong(candidates::bytes)
            .reversed()
            .thenComparingInt(ranges::firstPoint)
            .thenComparing(Comparator.naturalOrder()));
    List<Group> groups = new ArrayList<>();
    for (int variable : sorted) {
      Group group = bestGroup(variable, groups, groups.size());
      if (testsLeft < 0) {
        return groups;
      }
      if (group == null) {
        group = new Group();
        groups.add(group);
      }
      add(variable, group);
    }
    return groups;
  }

  /** Groups were opened by descending bytes, so the latest compatible one wastes least. */
  private @Nullable Group bestGroup(int variable, List<Group> groups, int end) {
    for (int i = end - 1; i >= 0; i--) {
      if (--testsLeft < 0) {
        return null;
      }
      if (accepts(groups.get(i), variable)) {
        return groups.get(i);
      }
    }
    return null;
  }

  private boolean accepts(Group group, int variable) {
    if (group.capacity < candidates.bytes(variable)) {
      return false;
    }
    if (candidates.keepsName(variable)
        && (group.keepsName || group.capacity != candidates.bytes(variable))) {
      return false;
    }
    for (int i = ranges.firstInterval(variable); i < ranges.endInterval(variable); i++) {
      if (meets(group, variable, ranges.begin(i), ranges.end(i))) {
        return false;
      }
    }
    return true;
  }

  private boolean meets(Group group, int variable, int begin, int end) {
    Map.Entry<Integer, long[]> before = group.intervals.lowerEntry(begin);
    if (before != null
        && end(before) > begin
        && !(end(before) == begin + 1 && owner(before) == inPlace.sourceOf(variable))) {
      return true;
    }
    // Of the intervals that begin inside, only a last one that begins at the last point may stay.
    for (Map.Entry<Integer, long[]> inside = group.intervals.ceilingEntry(begin);
        inside != null && inside.getKey() < end;
        inside = group.intervals.higherEntry(inside.getKey())) {
      if (inside.getKey() != end - 1 || owner(inside) != inPlace.targetOf(variable)) {
        return true;
      }
    }
    return false;
  }

  private static int end(Map.Entry<Integer, long[]> interval) {
    return (int) interval.getValue()[0];
  }

  private static int owner(Map.Entry<Integer, long[]> interval) {
    return (int) interval.getValue()[1];
  }

  private void add(int variable, Group group) {
    group.members.add(variable);
    group.capacity = Math.max(group.capacity, candidates.bytes(variable));
    group.keepsName |= candidates.keepsName(variable);
    for (int i = ranges.firstInterval(variable); i < ranges.endInterval(variable); i++) {
      group.intervals.put(ranges.begin(i), new long[] {ranges.end(i), variable});
    }
  }

  private void remove(int variable, Group group) {
    group.members.remove((Integer) variable);
    for (int i = ranges.firstInterval(variable); i < ranges.endInterval(variable); i++) {
      group.intervals.remove(ranges.begin(i));
    }
  }

  /** Dissolves groups, smallest first, whose members all fit into other groups. */
  private void emptyGroups(List<Group> groups) {
    for (int i = groups.size() - 1; i >= 0 && improvementTestsLeft > 0; i--) {
      Group group = groups.get(i);
      if (empties(group, groups, i)) {
        groups.remove(i);
      }
    }
  }

  private boolean empties(Group group, List<Group> groups, int index) {
    List<Integer> members = new ArrayList<>(group.members);
    List<Group> targets = new ArrayList<>();
    for (int variable : members) {
      Group target = null;
      for (int i = groups.size() - 1; i >= 0 && target == null && --improvementTestsLeft > 0; i--) {
        if (i != index && accepts(groups.get(i), variable)) {
          target = groups.get(i);
        }
      }
      if (target == null) {
        for (int i = 0; i < targets.size(); i++) {
          remove(members.get(i), targets.get(i));
        }
        return false;
      }
      add(variable, target);
      targets.add(target);
    }
    return true;
  }
}
