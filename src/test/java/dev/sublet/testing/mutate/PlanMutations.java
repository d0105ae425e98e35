package dev.sublet.testing.mutate;

import com.google.common.collect.ImmutableList;
import dev.sublet.plan.Allocation;
import dev.sublet.plan.Interval;
import dev.sublet.plan.MemoryPlan;
import dev.sublet.plan.Unplanned;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Random changes to a plan, right and wrong ones, as any other planner might make them. */
public final class PlanMutations {

  /** What can be changed. */
  public enum Kind {
    MOVE,
    MOVE_ONTO_ANOTHER,
    /** To where another allocation is live until then, as an operator that works in place does. */
    MOVE_ONTO_DYING,
    SHRINK,
    CHANGE_ARENA,
    SHIFT_INTERVAL,
    SHORTEN_INTERVAL,
    LENGTHEN_INTERVAL,
    SPLIT_INTERVAL,
    REMOVE_INTERVAL,
    SPLIT_ALLOCATION,
    SWAP_OFFSETS,
    REMOVE_ALLOCATION,
    UNPLAN,
    LIST_AS_UNPLANNED_TOO
  }

  private final SplittableRandom random;

  /** Changes that follow from a seed. */
  public PlanMutations(long seed) {
    this.random = new SplittableRandom(seed);
  }

  /** The changed plan; the same one if there is nothing to change. */
  public MemoryPlan apply(Kind kind, MemoryPlan plan) {
    if (plan.allocations().isEmpty()) {
      return plan;
    }
    List<Allocation> allocations = new ArrayList<>(plan.allocations());
    List<Unplanned> unplanned = new ArrayList<>(plan.unplanned());
    int index = random.nextInt(allocations.size());
    Allocation victim = allocations.get(index);
    if (victim.live().isEmpty()) {
      return plan;
    }
    int otherIndex = random.nextInt(allocations.size());
    Allocation other = allocations.get(otherIndex);
    int arena = random.nextInt(plan.arenas().size() + 1);
    switch (kind) {
      case MOVE -> allocations.set(index, at(victim, victim.offset() + (coin() == 0 ? 64L : -64L)));
      case MOVE_ONTO_ANOTHER -> allocations.set(index, at(victim, other.offset()));
      case MOVE_ONTO_DYING -> moveOntoDying(allocations, index);
      case SHRINK ->
          allocations.set(
              index,
              new Allocation(
                  victim.variable(),
                  victim.arena(),
                  victim.offset(),
                  victim.bytes() - 1,
                  victim.live()));
      case CHANGE_ARENA ->
          allocations.set(
              index,
              new Allocation(
                      victim.variable(), arena, victim.offset(), victim.bytes(), victim.live())
                  .withSlots(victim.slots()));
      case SHIFT_INTERVAL -> allocations.set(index, shifted(victim, 1 - 2 * coin(), true, true));
      case SHORTEN_INTERVAL -> {
        boolean begin = random.nextBoolean();
        allocations.set(index, shifted(victim, begin ? 1 : -1, begin, !begin));
      }
      case LENGTHEN_INTERVAL -> {
        boolean begin = random.nextBoolean();
        allocations.set(index, shifted(victim, begin ? -1 : 1, begin, !begin));
      }
      case SPLIT_INTERVAL -> allocations.set(index, split(victim));
      case REMOVE_INTERVAL -> allocations.set(index, withoutInterval(victim));
      case SPLIT_ALLOCATION -> splitAllocation(allocations, index, other.offset());
      case SWAP_OFFSETS -> {
        allocations.set(index, at(victim, other.offset()));
        allocations.set(otherIndex, at(other, victim.offset()));
      }
      case REMOVE_ALLOCATION -> allocations.remove(index);
      case UNPLAN -> {
        allocations.removeIf(allocation -> allocation.variable().equals(victim.variable()));
        unplanned.add(new Unplanned(victim.variable(), "moved out"));
      }
      case LIST_AS_UNPLANNED_TOO -> unplanned.add(new Unplanned(victim.variable(), "both"));
    }
    return new MemoryPlan(
        plan.programSha256(),
        plan.planner(),
        plan.batch(),
        plan.arenas(),
        ImmutableList.copyOf(allocations),
        ImmutableList.copyOf(unplanned),
        plan.aliases());
  }

  private void moveOntoDying(List<Allocation> allocations, int index) {
    Allocation victim = allocations.get(index);
    int born = victim.live().get(random.nextInt(victim.live().size())).begin();
    List<Integer> dying = new ArrayList<>();
    for (int i = 0; i < allocations.size(); i++) {
      boolean dies = allocations.get(i).live().stream().anyMatch(live -> live.end() == born + 1);
      if (i != index && dies) {
        dying.add(i);
      }
    }
    if (dying.isEmpty()) {
      return;
    }
    int other = dying.get(random.nextInt(dying.size()));
    ImmutableList.Builder<Interval> live = ImmutableList.builder();
    for (Interval interval : allocations.get(other).live()) {
      boolean ends = interval.end() == born + 1 && interval.begin() < born;
      live.add(ends ? new Interval(interval.begin(), born) : interval);
    }
    allocations.set(index, at(victim, allocations.get(other).offset()));
    allocations.set(other, live(allocations.get(other), live.build()));
  }

  private int coin() {
    return random.nextInt(2);
  }

  private static Allocation at(Allocation allocation, long offset) {
    return new Allocation(
            allocation.variable(),
            allocation.arena(),
            offset,
            allocation.bytes(),
            allocation.live())
        .withSlots(allocation.slots());
  }

  private static Allocation live(Allocation allocation, ImmutableList<Interval> live) {
    return new Allocation(
            allocation.variable(),
            allocation.arena(),
            allocation.offset(),
            allocation.bytes(),
            live)
        .withSlots(allocation.slots());
  }

  private Allocation shifted(Allocation allocation, int sign, boolean begins, boolean ends) {
    int by = sign * (1 + random.nextInt(3));
    int chosen = random.nextInt(allocation.live().size());
    ImmutableList.Builder<Interval> live = ImmutableList.builder();
    for (int i = 0; i < allocation.live().size(); i++) {
      Interval interval = allocation.live().get(i);
      int begin = interval.begin() + (i == chosen && begins ? by : 0);
      int end = interval.end() + (i == chosen && ends ? by : 0);
      if (0 <= begin && begin < end) {
        live.add(new Interval(begin, end));
      }
    }
    return live(allocation, live.build());
  }

  private Allocation split(Allocation allocation) {
    int chosen = random.nextInt(allocation.live().size());
    ImmutableList.Builder<Interval> live = ImmutableList.builder();
    for (int i = 0; i < allocation.live().size(); i++) {
      Interval interval = allocation.live().get(i);
      if (i == chosen && interval.end() - interval.begin() >= 3) {
        int hole = interval.begin() + 1 + random.nextInt(interval.end() - interval.begin() - 2);
        live.add(new Interval(interval.begin(), hole));
        live.add(new Interval(hole + 1, interval.end()));
      } else {
        live.add(interval);
      }
    }
    return live(allocation, live.build());
  }

  private Allocation withoutInterval(Allocation allocation) {
    List<Interval> live = new ArrayList<>(allocation.live());
    live.remove(random.nextInt(live.size()));
    return live(allocation, ImmutableList.copyOf(live));
  }

  /** The later part of the variable's life goes to other bytes. */
  private void splitAllocation(List<Allocation> allocations, int index, long offset) {
    Allocation victim = allocations.get(index);
    int first = victim.live().get(0).begin();
    int last = victim.live().get(victim.live().size() - 1).end();
    int cut = first + random.nextInt(last - first);
    ImmutableList.Builder<Interval> before = ImmutableList.builder();
    ImmutableList.Builder<Interval> after = ImmutableList.builder();
    for (Interval interval : victim.live()) {
      if (interval.begin() < cut) {
        before.add(new Interval(interval.begin(), Math.min(cut, interval.end())));
      }
      if (interval.end() > cut) {
        after.add(new Interval(Math.max(cut, interval.begin()), interval.end()));
      }
    }
    allocations.set(index, live(victim, before.build()));
    allocations.add(at(live(victim, after.build()), offset));
    if (before.build().isEmpty()) {
      allocations.remove(index);
    }
  }
}
