package dev.sublet.sharing;

import static java.util.Objects.requireNonNull;

import dev.sublet.liveness.IntervalTable;
import dev.sublet.program.Program;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The policy of the design document: dead variables enter a pool, and an output takes the name of a
 * variable in the pool.
 *
 * <p>For each operator in order:
 *
 * <ul>
 *   <li>If the operator can compute an output in place, the dying input enters the pool before the
 *       output takes a name: {@code i → pool; pool → o}.
 *   <li>Any other output takes a name before the dying inputs enter the pool: {@code pool → o; i →
 *       pool}.
 *   <li>An output that is never read enters the pool at once.
 * </ul>
 *
 * <p>There is one pool per class, hence at least one per block and data type. An output takes the
 * smallest entry that is large enough; among equal entries, the most recently freed one, then the
 * first declared one.
 *
 * <p>The policy ignores holes in live ranges: a variable occupies its name from its first to its
 * last point. O(n log n); with LoD or demands of graph passes, also O(entries of the pool) for each
 * variable.
 *
 * <p>Source: Paddle's {@code memory_optimization} design, "memory sharing policy".
 */
final class PoolPolicy {

  /** A group, which enters and leaves the pool as a whole. */
  private static final class Entry {
    final List<Integer> members = new ArrayList<>();
    final int order;
    long capacity;
    int freed;
    boolean keepsName;

    /** Whether a member carries LoD, and whether all members bear LoD. */
    boolean carriesLod;

    boolean bearsLod = true;

    /** The declaration for all members; null before there is one. */
    @Nullable Declaration declaration;

    Entry(int order) {
      this.order = order;
    }
  }

  private static final Comparator<Entry> BY_FIT =
      Comparator.<Entry>comparingLong(entry -> entry.capacity)
          .thenComparing(Comparator.<Entry>comparingInt(entry -> entry.freed).reversed())
          .thenComparingInt(entry -> entry.order);

  private final Candidates candidates;
  private final IntervalTable ranges;
  private final InPlaceTable inPlace;
  private final List<List<Integer>> groups = new ArrayList<>();
  private final List<Entry> entries = new ArrayList<>();
  private final Entry[] entryOf;
  private final TreeSet<Entry> pool = new TreeSet<>(BY_FIT);
  private final PriorityQueue<Integer> dying;

  private PoolPolicy(
      Candidates candidates, IntervalTable ranges, InPlaceTable inPlace, int variableCount) {
    this.candidates = candidates;
    this.ranges = ranges;
    this.inPlace = inPlace;
    this.entryOf = new Entry[variableCount];
    this.dying =
        new PriorityQueue<>(
            Comparator.<Integer>comparingInt(ranges::lastPoint)
                .thenComparing(Comparator.naturalOrder()));
  }

  static Grouping group(
      Candidates candidates, IntervalTable ranges, InPlaceTable inPlace, int variableCount) {
    PoolPolicy policy = new PoolPolicy(candidates, ranges, inPlace, variableCount);
    for (List<Integer> members : candidates.byClass()) {
      policy.groupClass(members);
    }
    for (Entry entry : policy.entries) {
      policy.groups.add(entry.members);
    }
    return Grouping.of(policy.groups, candidates);
  }

  private void groupClass(List<Integer> members) {
    pool.clear();
    dying.clear();
    List<Integer> sorted = new ArrayList<>(members);
    sorted.sort(
        Comparator.<Integer>comparingInt(ranges::firstPoint)
            .thenComparing(Comparator.naturalOrder()));
    for (int variable : sorted) {
      release(ranges.firstPoint(variable));
      place(variable);
      dying.add(variable);
    }
  }

  /** Moves the groups of all variables that are dead at a point into the pool. */
  private void release(int point) {
    while (!dying.isEmpty() && ranges.lastPoint(dying.peek()) <= point) {
      int dead = dying.remove();
      Entry entry = entryOf[dead];
      // An output computed in place may have taken the name before this variable is released.
      boolean occupied = entry.members.get(entry.members.size() - 1) != dead;
      if (!occupied && !entry.keepsName) {
        entry.freed = ranges.lastPoint(dead);
        pool.add(entry);
      }
    }
  }

  private void place(int variable) {
    Entry entry = entryFor(variable);
    if (entry == null) {
      entry = new Entry(entries.size());
      entries.add(entry);
    } else {
      pool.remove(entry);
    }
    entry.members.add(variable);
    entry.capacity = Math.max(entry.capacity, candidates.bytes(variable));
    entry.keepsName |= candidates.keepsName(variable);
    entry.carriesLod |= candidates.carriesLod(variable);
    entry.bearsLod &= candidates.bearsLod(variable);
    Declaration own = candidates.declaration(variable);
    entry.declaration = entry.declaration == null ? own : entry.declaration.with(own);
    entryOf[variable] = entry;
  }

  /** The entry that a variable takes, or null. */
  private @Nullable Entry entryFor(int variable) {
    if (inPlace.isForced(variable)) {
      return entryOf[inPlace.sourceOf(variable)];
    }
    return candidates.keepsName(variable) ? largestWithin(variable) : smallestFor(variable);
  }

  /** The entry that a variable takes by the rule of the design document, or null. */
  private @Nullable Entry smallestFor(int variable) {
    Entry wanted = new Entry(-1);
    wanted.capacity = candidates.bytes(variable);
    wanted.freed = Integer.MAX_VALUE;
    Entry fromPool = null;
    for (Entry entry : pool.tailSet(wanted)) {
      if (suits(entry, variable)) {
        fromPool = entry;
        break;
      }
    }
    Entry fromSource = fromSource(variable);
    boolean isBetter =
        fromSource != null && (fromPool == null || fromSource.capacity <= fromPool.capacity);
    return isBetter ? fromSource : fromPool;
  }

  /**
   * The entry of the dying input in whose memory the variable may be computed, or null. This entry
   * counts as the most recent entry of the pool.
   */
  private @Nullable Entry fromSource(int variable) {
    int source = inPlace.sourceOf(variable);
    return source != Program.NO_VARIABLE && suits(entryOf[source], variable)
        ? entryOf[source]
        : null;
  }

  /**
   * The largest entry that fits into a variable which keeps its name, or null. Such a variable must
   * be the largest member of its group.
   */
  private @Nullable Entry largestWithin(int variable) {
    long bytes = candidates.bytes(variable);
    Entry fromSource = fromSource(variable);
    if (fromSource != null && !fromSource.keepsName && fromSource.capacity <= bytes) {
      return fromSource; // no entry of the pool can be larger
    }
    Entry wanted = new Entry(Integer.MAX_VALUE);
    wanted.capacity = bytes;
    wanted.freed = -1;
    Entry largest = pool.floor(wanted);
    if (largest == null) {
      return null;
    }
    // Among several entries of that size, take the most recently freed one.
    wanted.capacity = largest.capacity;
    wanted.freed = Integer.MAX_VALUE;
    Entry entry = pool.higher(wanted);
    // A variable that keeps its name does not bear LoD.
    return entry == null || entry.carriesLod || !suits(entry, variable) ? null : entry;
  }

  /**
   * Whether no stale LoD can pass between the entry's members and the variable, and one declaration
   * serves all.
   */
  private boolean suits(Entry entry, int variable) {
    return requireNonNull(entry.declaration).suits(candidates.declaration(variable))
        && (!entry.carriesLod || candidates.bearsLod(variable))
        && (!candidates.carriesLod(variable) || entry.bearsLod);
  }
}
