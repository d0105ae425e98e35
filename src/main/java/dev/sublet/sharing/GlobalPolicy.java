package dev.sublet.sharing;

import static java.util.Objects.requireNonNull;

import com.google.common.math.LongMath;
import dev.sublet.concurrent.SideTask;
import dev.sublet.liveness.IntervalTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The global policy: a greedy coloring over all live ranges at once.
 *
 * <p>One attempt takes the variables in some order. Each variable joins the compatible group that
 * has to grow least; a rule breaks ties. Then the attempt dissolves groups whose members fit into
 * other groups. There is one attempt for each combination of order, rule and treatment of in-place
 * pairs (as one item beforehand, or as two items), until a quarter of the allowed tests or {@value
 * #ENOUGH_TESTS} are spent. The best attempt is the result. The attempts with and without chains
 * run side by side where there are many variables, and their results are taken in order.
 *
 * <p>The interference graph is never built. A group keeps the intervals of its members in order; a
 * variable is compatible if its intervals meet none of them, except the one point at which a legal
 * in-place pair touches.
 *
 * <p>O(tests × log n), where a test compares one variable with one group. If the budget does not
 * suffice for the first attempt, there is no result. In training, many variables fit no group, and
 * that shows early: an attempt is hopeless if an eighth of its tests has placed less than a 32nd of
 * its items.
 *
 * <p>Source: descending size and the largest group first is the rule of Paddle's inference memory
 * pass; the other orders, in-place pairs, holes in live ranges and the emptying go beyond it.
 */
final class GlobalPolicy {

  /** With more variables than this, two attempts run at a time. */
  private static final int MOST_ALONE = 1000;

  /** After this many tests, no further attempt begins. */
  private static final long ENOUGH_TESTS = 1_000_000;

  /** An attempt is hopeless if it has spent its tests, divided by this, ... */
  private static final int HOPELESS_TESTS = 8;

  /** ... and has placed fewer than its items, divided by this. */
  private static final int HOPELESS_ITEMS = 32;

  /** A group under construction, with its intervals by first point. */
  private static final class Group {
    final GroupIntervals intervals = new GroupIntervals();
    int[] items = new int[2];
    int size;
    long capacity;
    boolean keepsName;

    /** Whether a member carries LoD, and whether all members bear LoD. */
    boolean carriesLod;

    boolean bearsLod = true;

    /** The declaration for all items; null before there is one. */
    @Nullable Declaration declaration;

    /** Whether any declaration that is large enough serves all items. */
    boolean isFree = true;

    void add(int item) {
      if (size == items.length) {
        items = Arrays.copyOf(items, 2 * size);
      }
      items[size++] = item;
    }

    /** Removes an item that was added not long ago. */
    void remove(int item) {
      int index = size - 1;
      while (items[index] != item) {
        index--;
      }
      System.arraycopy(items, index + 1, items, index, size - index - 1);
      size--;
    }
  }

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

  /**
   * The items of every class in the order in which they join groups.
   *
   * @param classes the items of each class
   */
  private record Ordered(SharingItems items, Order order, List<int[]> classes) {

    static Ordered of(SharingItems items, Order order) {
      List<int[]> classes = new ArrayList<>();
      for (int[] members : items.byClass()) {
        classes.add(sorted(members, items, order));
      }
      return new Ordered(items, order, classes);
    }
  }

  /**
   * What an attempt has found, and at what cost.
   *
   * @param grouping the groups; null if the tests that it was allowed did not suffice
   * @param tests the number of tests that it took
   */
  private record Attempt(@Nullable Grouping grouping, long tests) {}

  private final Candidates candidates;
  private final SharingItems items;
  private final IntervalTable ranges;
  private final Order order;
  private final Rule rule;
  private final long maxTests;
  private long testsLeft;
  private int itemsPlaced;

  private GlobalPolicy(Candidates candidates, Ordered ordered, Rule rule, long maxTests) {
    this.candidates = candidates;
    this.items = ordered.items();
    this.ranges = items.ranges();
    this.order = ordered.order();
    this.rule = rule;
    this.maxTests = maxTests;
    this.testsLeft = maxTests;
  }

  /** Finds the groups, or returns null if the first attempt takes more tests than allowed. */
  static @Nullable Grouping group(
      Candidates candidates, IntervalTable ranges, InPlaceTable inPlace, long maxTests) {
    SharingItems single = SharingItems.single(candidates, ranges, inPlace);
    SharingItems chains = SharingItems.chains(candidates, ranges, inPlace);
    boolean isLarge = candidates.variableCount() > MOST_ALONE;
    // With fewer left, another attempt costs too much.
    long enough = maxTests - Math.min(ENOUGH_TESTS, maxTests / 4);
    Grouping best = null;
    long testsLeft = maxTests;
    for (Order order : Order.values()) {
      Ordered chainsInOrder = Ordered.of(chains, order);
      Ordered singleInOrder = Ordered.of(single, order);
      for (Rule rule : Rule.values()) {
        long spare = testsLeft - enough;
        SideTask<Attempt> beside =
            isLarge ? SideTask.start(() -> attempt(candidates, singleInOrder, rule, spare)) : null;
        Attempt ofChains = attempt(candidates, chainsInOrder, rule, testsLeft);
        best = better(best, ofChains.grouping());
        testsLeft -= ofChains.tests();
        if (testsLeft < enough) {
          return best;
        }
        Attempt ofSingle = beside == null ? null : beside.join();
        if (ofSingle == null || ofSingle.tests() >= spare) {
          // Beside the other attempt, it was allowed fewer tests than it may take.
          ofSingle = attempt(candidates, singleInOrder, rule, testsLeft);
        }
        best = better(best, ofSingle.grouping());
        testsLeft -= ofSingle.tests();
        if (testsLeft < enough) {
          return best;
        }
      }
    }
    return best;
  }

  private static Attempt attempt(Candidates candidates, Ordered ordered, Rule rule, long maxTests) {
    GlobalPolicy policy = new GlobalPolicy(candidates, ordered, rule, maxTests);
    Grouping grouping = policy.group(ordered.classes());
    return new Attempt(grouping, maxTests - policy.testsLeft);
  }

  private static @Nullable Grouping better(@Nullable Grouping best, @Nullable Grouping other) {
    return best == null || (other != null && other.bytes() < best.bytes()) ? other : best;
  }

  private @Nullable Grouping group(List<int[]> sortedClasses) {
    List<List<Integer>> result = new ArrayList<>();
    for (int[] members : sortedClasses) {
      List<Group> groups = groupClass(members);
      if (testsLeft < 0) {
        return null;
      }
      emptyGroups(groups);
      for (Group group : groups) {
        result.add(items.variables(group.items, group.size));
      }
    }
    return Grouping.of(result, candidates);
  }

  private List<Group> groupClass(int[] sorted) {
    List<Group> groups = new ArrayList<>();
    for (int item : sorted) {
      Group group = compatibleGroup(item, groups);
      if (isHopeless()) {
        testsLeft = -1;
      }
      if (testsLeft < 0) {
        return groups;
      }
      itemsPlaced++;
      if (group == null) {
        group = new Group();
        groups.add(group);
      }
      add(item, group);
    }
    return groups;
  }

  private boolean isHopeless() {
    return maxTests - testsLeft > maxTests / HOPELESS_TESTS
        && itemsPlaced < items.count() / HOPELESS_ITEMS;
  }

  /** Sorts by rank, first point and index, without an object for each item. */
  private static int[] sorted(int[] members, SharingItems items, Order order) {
    long[] byTime = new long[members.length];
    long[] ranks = new long[members.length];
    for (int i = 0; i < members.length; i++) {
      byTime[i] = (long) items.ranges().firstPoint(members[i]) << 32 | members[i];
      ranks[i] = rank(members[i], items, order);
    }
    Arrays.sort(byTime);
    Arrays.sort(ranks);
    long[] byRank = new long[members.length];
    for (int i = 0; i < members.length; i++) {
      int place = Arrays.binarySearch(ranks, rank((int) byTime[i], items, order));
      byRank[i] = (long) place << 32 | i;
    }
    Arrays.sort(byRank);
    int[] result = new int[members.length];
    for (int i = 0; i < members.length; i++) {
      result[i] = (int) byTime[(int) byRank[i]];
    }
    return result;
  }

  private static long rank(int item, SharingItems items, Order order) {
    IntervalTable ranges = items.ranges();
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
      case LATEST -> -group.intervals.lastEnd(ranges.firstPoint(item));
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
        || (items.carriesLod(item) && !group.bearsLod)) {
      return false;
    }
    int source = items.sourceOf(item);
    int target = items.targetOf(item);
    for (int i = ranges.firstInterval(item); i < ranges.endInterval(item); i++) {
      if (group.intervals.meets(ranges.begin(i), ranges.end(i), source, target)) {
        return false;
      }
    }
    return suits(group, item);
  }

  private boolean suits(Group group, int item) {
    return (group.isFree && items.isFree(item))
        || requireNonNull(group.declaration).suits(items.declaration(item));
  }

  private void add(int item, Group group) {
    group.add(item);
    group.capacity = Math.max(group.capacity, items.bytes(item));
    group.keepsName |= items.keepsName(item);
    group.carriesLod |= items.carriesLod(item);
    group.bearsLod &= items.bearsLod(item);
    group.isFree &= items.isFree(item);
    Declaration own = items.declaration(item);
    group.declaration = group.declaration == null ? own : group.declaration.with(own);
    for (int i = ranges.firstInterval(item); i < ranges.endInterval(item); i++) {
      group.intervals.put(ranges.begin(i), ranges.end(i), item);
    }
  }

  private void remove(int item, Group group) {
    group.remove(item);
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
    int[] members = Arrays.copyOf(group.items, group.size);
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
          remove(members[i], targets.get(i));
        }
        return false;
      }
      add(item, target);
      targets.add(target);
    }
    return true;
  }
}
