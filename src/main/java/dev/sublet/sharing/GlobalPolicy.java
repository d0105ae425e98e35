package dev.sublet.sharing;

import dev.sublet.liveness.IntervalTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Groups over all live ranges at once: variables by descending bytes, each joins a compatible
 * group; then groups are emptied where their members fit elsewhere. Four attempts are made and the
 * best is kept: a variable joins the group in which it wastes least, or the largest; in-place pairs
 * are joined where it happens, or made one variable beforehand.
 *
 * <p>The interference relation is never built: a group keeps its members' intervals in a sorted
 * map, and a variable is compatible if its intervals meet none of them, save the one point at which
 * a legal in-place pair touches.
 *
 * <p>O(tests × log n) with one test a variable and group at worst. The number of tests is capped;
 * beyond the cap there is no result.
 *
 * <p>Source: joining the largest group first is the rule of Paddle's inference memory pass;
 * in-place pairs, holes in live ranges and the emptying of groups go beyond it.
 */
final class GlobalPolicy {

  /** A group under construction: its intervals by first point. */
  private static final class Group {
    final List<Integer> items = new ArrayList<>();
    final TreeMap<Integer, Occupied> intervals = new TreeMap<>();
    long capacity;
    boolean keepsName;
  }

  /** The rest of an interval, and the item that it belongs to. */
  private record Occupied(int end, int owner) {}

  private final Candidates candidates;
  private final SharingItems items;
  private final IntervalTable ranges;
  private final boolean largestFirst;
  private long testsLeft;
  private long improvementTestsLeft;

  private GlobalPolicy(
      Candidates candidates, SharingItems items, boolean largestFirst, long maxTests) {
    this.candidates = candidates;
    this.items = items;
    this.ranges = items.ranges();
    this.largestFirst = largestFirst;
    this.testsLeft = maxTests;
    this.improvementTestsLeft = maxTests;
  }

  /** Finds the groups, or returns null if every attempt would take more tests than allowed. */
  static @Nullable Grouping group(
      Candidates candidates, IntervalTable ranges, InPlaceTable inPlace, long maxTests) {
    SharingItems single = SharingItems.single(candidates, ranges, inPlace);
    SharingItems chains = SharingItems.chains(candidates, ranges, inPlace);
    Grouping best = null;
    for (SharingItems items : List.of(single, chains)) {
      for (boolean largestFirst : new boolean[] {false, true}) {
        Grouping grouping = new GlobalPolicy(candidates, items, largestFirst, maxTests).group();
        if (grouping == null) {
          return best;
        }
        best = best == null || grouping.bytes() < best.bytes() ? grouping : best;
      }
    }
    return best;
  }

  private @Nullable Grouping group() {
    List<List<Integer>> result = new ArrayList<>();
    for (List<Integer> members : items.byClass()) {
      List<Group> groups = groupClass(members);
      if (testsLeft < 0) {
        return null;
      }
      emptyGroups(groups);
      for (Group group : groups) {
        result.add(items.variables(group.items));
      }
    }
    return Grouping.of(result, candidates);
  }

  private List<Group> groupClass(List<Integer> members) {
    List<Integer> sorted = new ArrayList<>(members);
    sorted.sort(
        Comparator.<Integer>comparingLong(items::bytes)
            .reversed()
            .thenComparingInt(ranges::firstPoint)
            .thenComparing(Comparator.naturalOrder()));
    List<Group> groups = new ArrayList<>();
    for (int item : sorted) {
      Group group = compatibleGroup(item, groups);
      if (testsLeft < 0) {
        return groups;
      }
      if (group == null) {
        group = new Group();
        groups.add(group);
      }
      add(item, group);
    }
    return groups;
  }

  /** Groups were opened by descending bytes, so in the latest compatible one least is wasted. */
  private @Nullable Group compatibleGroup(int item, List<Group> groups) {
    for (int i = 0; i < groups.size(); i++) {
      Group group = groups.get(largestFirst ? i : groups.size() - 1 - i);
      if (--testsLeft < 0) {
        return null;
      }
      if (accepts(group, item)) {
        return group;
      }
    }
    return null;
  }

  private boolean accepts(Group group, int item) {
    if (group.capacity < items.bytes(item)) {
      return false;
    }
    if (items.keepsName(item) && (group.keepsName || group.capacity != items.bytes(item))) {
      return false;
    }
    for (int i = ranges.firstInterval(item); i < ranges.endInterval(item); i++) {
      if (meets(group, item, ranges.begin(i), ranges.end(i))) {
        return false;
      }
    }
    return true;
  }

  private boolean meets(Group group, int item, int begin, int end) {
    Map.Entry<Integer, Occupied> before = group.intervals.lowerEntry(begin);
    if (before != null && before.getValue().end() > begin) {
      // A dying source may reach into the first point of its target.
      boolean handedOver =
          before.getValue().end() == begin + 1 && before.getValue().owner() == items.sourceOf(item);
      if (!handedOver) {
        return true;
      }
    }
    Map.Entry<Integer, Occupied> inside = group.intervals.ceilingEntry(begin);
    if (inside == null || inside.getKey() >= end) {
      return false;
    }
    return inside.getKey() != end - 1 || inside.getValue().owner() != items.targetOf(item);
  }

  private void add(int item, Group group) {
    group.items.add(item);
    group.capacity = Math.max(group.capacity, items.bytes(item));
    group.keepsName |= items.keepsName(item);
    for (int i = ranges.firstInterval(item); i < ranges.endInterval(item); i++) {
      group.intervals.put(ranges.begin(i), new Occupied(ranges.end(i), item));
    }
  }

  private void remove(int item, Group group) {
    group.items.remove((Integer) item);
    for (int i = ranges.firstInterval(item); i < ranges.endInterval(item); i++) {
      group.intervals.remove(ranges.begin(i));
    }
  }

  /** Dissolves groups, smallest first, whose members all fit into other groups. */
  private void emptyGroups(List<Group> groups) {
    for (int i = groups.size() - 1; i >= 0 && improvementTestsLeft > 0; i--) {
      if (empties(groups.get(i), groups, i)) {
        groups.remove(i);
      }
    }
  }

  private boolean empties(Group group, List<Group> groups, int index) {
    List<Integer> members = new ArrayList<>(group.items);
    List<Group> targets = new ArrayList<>();
    for (int item : members) {
      Group target = null;
      for (int i = groups.size() - 1; i >= 0 && target == null; i--) {
        if (--improvementTestsLeft > 0 && i != index && accepts(groups.get(i), item)) {
          target = groups.get(i);
        }
      }
      if (target == null) {
        for (int i = 0; i < targets.size(); i++) {
          remove(members.get(i), targets.get(i));
        }
        return false;
      }
      add(item, target);
      targets.add(target);
    }
    return true;
  }
}
