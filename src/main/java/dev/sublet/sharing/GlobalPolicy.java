package dev.sublet.sharing;

import static java.util.Objects.requireNonNull;

import com.google.common.math.LongMath;
import dev.sublet.liveness.IntervalTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The global policy: a greedy coloring over all live ranges at once.
 *
 * <p>One attempt takes the variables in some order. Each variable joins the compatible group that
 * has to grow least; a rule breaks ties. Then the attempt dissolves groups whose members fit into
 * other groups. There is one attempt for each combination of order, rule and treatment of in-place
 * pairs (as one item beforehand, or as two items), until a quarter of the allowed tests is spent.
 * The best attempt is the result.
 *
 * <p>The interference graph is never built. A group keeps the intervals of its members in a sorted
 * map; a variable is compatible if its intervals meet none of them, except the one point at which a
 * legal in-place pair touches.
 *
 * <p>O(tests × log n), where a test compares one variable with one group. If the budget does not
 * suffice for the first attempt, there is no result.
 *
 * <p>Source: descending size and the largest group first is the rule of Paddle's inference memory
 * pass; the other orders, in-place pairs, holes in live ranges and the emptying go beyond it.
 */
final class GlobalPolicy {

  /** A group under construction, with its intervals by first point. */
  private static final class Group {
    final List<Integer> items = new ArrayList<>();
    final TreeMap<Integer, Occupied> intervals = new TreeMap<>();
    long capacity;
    boolean keepsName;

    /** Whether a member carries LoD, and whether all members bear LoD. */
    boolean carriesLod;

    boolean bearsLod = true;

    /** The declaration for all items; null before there is one. */
    @Nullable Declaration declaration;
  }

  /** The end of an interval, and the item of the interval. */
  private record Occupied(int end, int owner) {}

  /** The order in which variables join groups; ties by first point, then by declaration. */
  private enum Order {
    SIZE,
    AREA,
    TIME,
    DURATION
  }

  /** The rule that chooses among groups that would grow equally. */
  private enum Rule {
    /** The largest group, so that small groups stay free for small variables. */
    LARGEST,
    /** The smallest group, which wastes the fewest bytes. */
    LEAST_WASTE,
    /** The group that was freed last. */
    LATEST
  }

  private final Candidates candidates;
  private final SharingItems items;
  private final IntervalTable ranges;
  private final Order order;
  private final Rule rule;
  private long testsLeft;

  private GlobalPolicy(
      Candidates candidates, SharingItems items, Order order, Rule rule, long maxTests) {
    this.candidates = candidates;
    this.items = items;
    this.ranges = items.ranges();
    this.order = order;
    this.rule = rule;
    this.testsLeft = maxTests;
  }

  /** Finds the groups, or returns null if the first attempt takes more tests than allowed. */
  static @Nullable Grouping group(
      Candidates candidates, IntervalTable ranges, InPlaceTable inPlace, long maxTests) {
    SharingItems single = SharingItems.single(candidates, ranges, inPlace);
    SharingItems chains = SharingItems.chains(candidates, ranges, inPlace);
    Grouping best = null;
    long testsLeft = maxTests;
    for (Order order : Order.values()) {
      for (Rule rule : Rule.values()) {
        for (SharingItems items : List.of(chains, single)) {
          GlobalPolicy attempt = new GlobalPolicy(candidates, items, order, rule, testsLeft);
          Grouping grouping = attempt.group();
          testsLeft = attempt.testsLeft;
          if (grouping == null) {
            return best;
          }
          best = best == null || grouping.bytes() < best.bytes() ? grouping : best;
          if (testsLeft < maxTests - maxTests / 4) {
            return best; // Another attempt would cost too much time for its chance of success.
          }
        }
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
        Comparator.<Integer>comparingLong(this::rank)
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

  private long rank(int item) {
    long duration = (long) ranges.lastPoint(item) - ranges.firstPoint(item);
    return switch (order) {
      case SIZE -> -items.bytes(item);
      case AREA -> -LongMath.saturatedMultiply(items.bytes(item), duration);
      case TIME -> ranges.firstPoint(item);
      case DURATION -> -duration;
    };
  }

  /** The compatible group that has to grow least for the item, or null if there is none. */
  private @Nullable Group compatibleGroup(int item, List<Group> groups) {
    Group best = null;
    long bestGrowth = Long.MAX_VALUE;
    long bestTie = Long.MAX_VALUE;
    for (Group group : groups) {
      if (--testsLeft < 0) {
        return null;
      }
      long growth = Math.max(0, items.bytes(item) - group.capacity);
      long tie = tieBreak(group, item);
      boolean better = growth < bestGrowth || (growth == bestGrowth && tie < bestTie);
      if (better && accepts(group, item)) {
        best = group;
        bestGrowth = growth;
        bestTie = tie;
        if (order == Order.SIZE && rule == Rule.LARGEST) {
          return best; // Groups were opened by descending size: the first is the largest.
        }
      }
    }
    return best;
  }

  private long tieBreak(Group group, int item) {
    return switch (rule) {
      case LARGEST -> -group.capacity;
      case LEAST_WASTE -> group.capacity;
      case LATEST -> {
        Map.Entry<Integer, Occupied> before =
            group.intervals.lowerEntry(ranges.firstPoint(item) + 1);
        yield before == null ? 0 : -before.getValue().end();
      }
    };
  }

  private boolean accepts(Group group, int item) {
    // A variable that keeps its name must be the largest of its group, and the only such one.
    if (group.keepsName && (items.keepsName(item) || items.bytes(item) > group.capacity)) {
      return false;
    }
    if (items.keepsName(item) && items.bytes(item) < group.capacity) {
      return false;
    }
    if ((group.carriesLod && !items.bearsLod(item))
        || (items.carriesLod(item) && !group.bearsLod)
        || !requireNonNull(group.declaration).suits(items.declaration(item))) {
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
    // A dying source may reach into the first points of its target.
    if (before != null
        && before.getValue().end() > begin
        && before.getValue().owner() != items.sourceOf(item)) {
      return true;
    }
    Map.Entry<Integer, Occupied> inside = group.intervals.ceilingEntry(begin);
    if (inside == null || inside.getKey() >= end) {
      return false;
    }
    return inside.getValue().owner() != items.targetOf(item) || inside.getValue().end() < end;
  }

  private void add(int item, Group group) {
    group.items.add(item);
    group.capacity = Math.max(group.capacity, items.bytes(item));
    group.keepsName |= items.keepsName(item);
    group.carriesLod |= items.carriesLod(item);
    group.bearsLod &= items.bearsLod(item);
    Declaration own = items.declaration(item);
    group.declaration = group.declaration == null ? own : group.declaration.with(own);
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

  /** Dissolves the groups whose members all fit into other groups, smallest group first. */
  private void emptyGroups(List<Group> groups) {
    List<Group> ascending = new ArrayList<>(groups);
    ascending.sort(Comparator.comparingLong(group -> group.capacity));
    for (Group group : ascending) {
      if (testsLeft > 0 && empties(group, groups)) {
        groups.remove(group);
      }
    }
  }

  private boolean empties(Group group, List<Group> groups) {
    List<Integer> members = new ArrayList<>(group.items);
    List<Group> targets = new ArrayList<>();
    for (int item : members) {
      Group target = null;
      for (int i = 0; i < groups.size() && target == null && testsLeft > 0; i++) {
        Group other = groups.get(i);
        if (other != group && other.capacity >= items.bytes(item)) {
          testsLeft--;
          target = accepts(other, item) ? other : null;
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
