package dev.sublet.compile;

import static com.google.common.base.Preconditions.checkState;

import com.google.common.collect.ImmutableListMultimap;
import com.google.common.collect.ImmutableSortedSet;
import com.google.common.collect.Multimaps;
import dev.sublet.codec.plan.CViews;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.Interval;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.plan.MultiView;
import dev.sublet.plan.MultiView.FixedView;
import dev.sublet.plan.MultiView.Rotation;
import java.util.ArrayList;
import java.util.List;

/**
 * The bytes of values in the arena of a plan for a {@link PlannedProgram}. The operator at position
 * p reads at point 2p and writes at point 2p + 1.
 */
final class ArenaLayout {

  private final MemoryPlan plan;

  /** By name: no two variables of the program have one name. */
  private final ImmutableListMultimap<String, Allocation> allocations;

  /**
   * Reads a plan.
   *
   * @throws IllegalStateException if it has several arenas, which is a bug of the caller
   */
  ArenaLayout(MemoryPlan plan) {
    checkState(plan.arenas().size() <= 1, "%s arenas", plan.arenas().size());
    this.plan = plan;
    this.allocations =
        Multimaps.index(plan.allocations(), allocation -> allocation.variable().name());
  }

  /** The size of the arena. */
  long bytes() {
    return plan.arenaBytes();
  }

  /** The alignment of the arena. */
  long alignment() {
    return plan.arenas().isEmpty() ? 1 : plan.arenas().get(0).alignment();
  }

  /**
   * Returns the place of a variable at a point.
   *
   * @throws IllegalStateException if the plan gives it no bytes there, or not these
   */
  ArenaPlace place(String name, int point, long bytes) {
    for (Allocation allocation : allocations.get(name)) {
      if (isLive(allocation, point)) {
        checkState(
            allocation.bytes() >= bytes,
            "'%s' has %s bytes in the plan, not %s",
            name,
            allocation.bytes(),
            bytes);
        return new ArenaPlace(
            allocation.views().orElseGet(() -> new FixedView(allocation.offset())), bytes);
      }
    }
    throw new IllegalStateException("the plan has no bytes for '" + name + "' at " + point);
  }

  /** Returns the body blocks of the loops that move variables, ascending. */
  ImmutableSortedSet<Integer> movingLoops() {
    ImmutableSortedSet.Builder<Integer> blocks = ImmutableSortedSet.naturalOrder();
    for (Allocation allocation : plan.allocations()) {
      allocation.views().ifPresent(views -> blocks.addAll(CViews.blocks(views)));
    }
    return blocks.build();
  }

  private static boolean isLive(Allocation allocation, int point) {
    for (Interval interval : allocation.live()) {
      if (interval.begin() <= point && point < interval.end()) {
        return true;
      }
    }
    return false;
  }

  /** Returns the number of bytes that an operator reads, writes or must leave alone. */
  long usedBytes(int point) {
    List<Range> free = new ArrayList<>();
    free.add(new Range(0, bytes()));
    for (Allocation allocation : plan.allocations()) {
      if (isLive(allocation, point) || isLive(allocation, point + 1)) {
        subtract(free, allocation);
      }
    }
    return bytes() - free.stream().mapToLong(range -> range.end() - range.begin()).sum();
  }

  /** A range of bytes that nothing uses any more. */
  record Range(long begin, long end) {}

  /**
   * Returns bytes that are in use until a point and not at the next one, ascending. The bytes of
   * variables that loops move are not among them.
   */
  List<Range> dying(int point) {
    List<Range> dead = new ArrayList<>();
    for (Allocation allocation : plan.allocations()) {
      if (isLive(allocation, point)
          && !isLive(allocation, point + 1)
          && allocation.views().isEmpty()) {
        add(dead, new Range(allocation.offset(), allocation.offset() + allocation.bytes()));
      }
    }
    for (Allocation allocation : plan.allocations()) {
      if (isLive(allocation, point + 1)) {
        subtract(dead, allocation);
      }
    }
    dead.sort((a, b) -> Long.compare(a.begin(), b.begin()));
    return dead;
  }

  /** Returns the bytes that are not in use before the first operator, ascending. */
  List<Range> unusedAtStart() {
    List<Range> unused = new ArrayList<>();
    unused.add(new Range(0, bytes()));
    for (Allocation allocation : plan.allocations()) {
      if (isLive(allocation, 0)) {
        subtract(unused, allocation);
      }
    }
    unused.removeIf(range -> range.begin() == range.end());
    return unused;
  }

  /** Subtracts all bytes in which a variable is in some iteration. */
  private static void subtract(List<Range> ranges, Allocation allocation) {
    if (allocation.views().isEmpty()) {
      subtract(ranges, allocation.offset(), allocation.offset() + allocation.bytes());
    } else {
      subtract(ranges, allocation.views().get(), allocation.bytes());
    }
  }

  private static void subtract(List<Range> ranges, MultiView view, long bytes) {
    if (view instanceof FixedView fixed) {
      subtract(ranges, fixed.offset(), fixed.offset() + bytes);
      return;
    }
    Rotation rotation = (Rotation) view;
    rotation.first().ifPresent(first -> subtract(ranges, first, bytes));
    rotation.views().forEach(each -> subtract(ranges, each, bytes));
  }

  private static void add(List<Range> ranges, Range range) {
    subtract(ranges, range.begin(), range.end());
    ranges.add(range);
  }

  private static void subtract(List<Range> ranges, long begin, long end) {
    List<Range> left = new ArrayList<>();
    for (Range range : ranges) {
      if (range.begin() < Math.min(range.end(), begin)) {
        left.add(new Range(range.begin(), Math.min(range.end(), begin)));
      }
      if (Math.max(range.begin(), end) < range.end()) {
        left.add(new Range(Math.max(range.begin(), end), range.end()));
      }
    }
    ranges.clear();
    ranges.addAll(left);
  }
}
