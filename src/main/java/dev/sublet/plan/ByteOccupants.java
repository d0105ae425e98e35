package dev.sublet.plan;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The other allocations that have bytes in common with an allocation, at other times or on purpose
 * at the same time.
 *
 * @param allocation the allocation, by its index in the plan
 * @param occupants the allocations with some of the same bytes, ordered by first point
 * @param closest if there are no occupants, the allocation of the same arena that is live together
 *     with this one at the fewest points
 */
public record ByteOccupants(
    int allocation, ImmutableList<Occupant> occupants, Optional<Neighbor> closest) {

  /** The reason why an occupant can have the same bytes. */
  public enum Relation {
    /** The occupant's whole live range is before the allocation's. */
    BEFORE,
    /** The occupant's whole live range is after the allocation's. */
    AFTER,
    /** The two live ranges interleave but do not overlap: each is in holes of the other. */
    BETWEEN,
    /** Both are live together, and the plan lists the pair; {@link Occupant#kind} is the reason. */
    ALIAS,
    /** Both are live together, and both are aliases of other variables. */
    ALIAS_OF_ALIAS,
    /** Both are live together, but never in one iteration of a loop: one of them has views. */
    OTHER_ITERATION
  }

  /**
   * Another allocation with some of the same bytes.
   *
   * @param allocation the index of the occupant in the plan
   * @param bytes the number of common bytes
   * @param relation the reason why both can have these bytes
   * @param kind the {@link Alias#kind}, if the occupant is an alias; else empty
   */
  public record Occupant(int allocation, long bytes, Relation relation, String kind) {

    public Occupant {
      requireNonNull(relation, "relation");
      requireNonNull(kind, "kind");
    }
  }

  /**
   * An allocation of the same arena with other bytes.
   *
   * @param allocation the index of the neighbor in the plan
   * @param points the number of points at which both are live
   * @param begin the first of these points; -1 if there are none
   * @param free the number of allocations in the arena that are never live together with this one
   */
  public record Neighbor(int allocation, long points, int begin, int free) {}

  public ByteOccupants {
    requireNonNull(occupants, "occupants");
    requireNonNull(closest, "closest");
  }

  /**
   * Finds the occupants of the given allocations.
   *
   * <p>O(allocations × intervals) for each given allocation. An allocation with views counts with
   * all its locations.
   *
   * @param indices the allocations, by their indices in the plan
   */
  public static ImmutableList<ByteOccupants> find(MemoryPlan plan, Iterable<Integer> indices) {
    Map<String, String> kinds = new HashMap<>();
    for (Alias alias : plan.aliases()) {
      kinds.putIfAbsent(alias.variable() + "\n" + alias.of(), alias.kind());
      kinds.putIfAbsent(alias.of() + "\n" + alias.variable(), alias.kind());
    }
    ImmutableList.Builder<ByteOccupants> found = ImmutableList.builder();
    for (int index : indices) {
      found.add(find(plan, index, kinds));
    }
    return found.build();
  }

  private static ByteOccupants find(MemoryPlan plan, int index, Map<String, String> kinds) {
    Allocation own = plan.allocations().get(index);
    ImmutableSet<Long> offsets = offsets(own);
    List<Occupant> occupants = new ArrayList<>();
    Neighbor closest = null;
    int free = 0;
    for (int i = 0; i < plan.allocations().size(); i++) {
      Allocation other = plan.allocations().get(i);
      if (i == index || other.arena() != own.arena() || other.bytes() == 0 || own.bytes() == 0) {
        continue;
      }
      long bytes = commonBytes(own, offsets, other);
      if (bytes > 0) {
        String kind = kinds.getOrDefault(own.variable() + "\n" + other.variable(), "");
        Relation relation = relation(own, other, kind);
        occupants.add(new Occupant(i, bytes, relation, relation == Relation.ALIAS ? kind : ""));
      }
      Neighbor neighbor = meet(own, other, i);
      free += neighbor.points() == 0 ? 1 : 0;
      if (closest == null || neighbor.points() < closest.points()) {
        closest = neighbor;
      }
    }
    occupants.sort(
        (a, b) -> Integer.compare(begin(plan, a.allocation()), begin(plan, b.allocation())));
    return new ByteOccupants(
        index,
        ImmutableList.copyOf(occupants),
        closest == null || !occupants.isEmpty()
            ? Optional.empty()
            : Optional.of(
                new Neighbor(closest.allocation(), closest.points(), closest.begin(), free)));
  }

  private static int begin(MemoryPlan plan, int allocation) {
    return plan.allocations().get(allocation).live().get(0).begin();
  }

  /** All offsets that an allocation can have. */
  private static ImmutableSet<Long> offsets(Allocation allocation) {
    ImmutableSet.Builder<Long> offsets = ImmutableSet.builder();
    offsets.add(allocation.offset());
    allocation.views().ifPresent(view -> addOffsets(view, offsets));
    return offsets.build();
  }

  private static void addOffsets(MultiView view, ImmutableSet.Builder<Long> offsets) {
    if (view instanceof MultiView.FixedView fixed) {
      offsets.add(fixed.offset());
    } else if (view instanceof MultiView.Rotation rotation) {
      rotation.first().ifPresent(first -> addOffsets(first, offsets));
      rotation.views().forEach(each -> addOffsets(each, offsets));
    } else {
      throw new AssertionError(view);
    }
  }

  private static long commonBytes(Allocation own, ImmutableSet<Long> offsets, Allocation other) {
    long most = 0;
    for (long a : offsets) {
      for (long b : offsets(other)) {
        most = Math.max(most, Math.min(a + own.bytes(), b + other.bytes()) - Math.max(a, b));
      }
    }
    return most;
  }

  private static Relation relation(Allocation own, Allocation other, String kind) {
    if (meet(own, other, -1).points() > 0) {
      if (!kind.isEmpty()) {
        return Relation.ALIAS;
      }
      return own.views().isPresent() || other.views().isPresent()
          ? Relation.OTHER_ITERATION
          : Relation.ALIAS_OF_ALIAS;
    }
    if (last(other) <= own.live().get(0).begin()) {
      return Relation.BEFORE;
    }
    return last(own) <= other.live().get(0).begin() ? Relation.AFTER : Relation.BETWEEN;
  }

  private static int last(Allocation allocation) {
    return allocation.live().get(allocation.live().size() - 1).end();
  }

  private static Neighbor meet(Allocation a, Allocation b, int index) {
    long points = 0;
    int begin = -1;
    int i = 0;
    int j = 0;
    while (i < a.live().size() && j < b.live().size()) {
      Interval left = a.live().get(i);
      Interval right = b.live().get(j);
      int from = Math.max(left.begin(), right.begin());
      int to = Math.min(left.end(), right.end());
      if (from < to) {
        points += to - from;
        begin = begin < 0 ? from : begin;
      }
      if (left.end() <= right.end()) {
        i++;
      } else {
        j++;
      }
    }
    return new Neighbor(index, points, begin, /* free= */ 0);
  }
}
