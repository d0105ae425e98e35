package dev.sublet.plan;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableListMultimap;
import dev.sublet.program.VariableId;

/**
 * An offset plan for one program.
 *
 * @param programSha256 the SHA-256 of the serialized program that the plan describes, in hex
 * @param planner the name of the planner that made it
 * @param batch the value of leading open extents of feeds
 * @param feeds the given shapes and sequences of feeds, beside the batch, ordered by name
 * @param order the order in which the operators may run
 * @param arenas the arenas, by index
 * @param allocations the allocations, ordered by block, declaration, then first point
 * @param unplanned the variables without an offset, ordered by block, then declaration
 * @param aliases the pairs that share bytes on purpose
 * @param copies the operators that need not run, by block and index
 */
public record MemoryPlan(
    String programSha256,
    String planner,
    long batch,
    ImmutableList<Feed> feeds,
    ExecutionOrder order,
    ImmutableList<Arena> arenas,
    ImmutableList<Allocation> allocations,
    ImmutableList<Unplanned> unplanned,
    ImmutableList<Alias> aliases,
    ImmutableList<UnneededCopy> copies) {

  public MemoryPlan {
    requireNonNull(programSha256, "programSha256");
    requireNonNull(planner, "planner");
    requireNonNull(feeds, "feeds");
    requireNonNull(order, "order");
    requireNonNull(arenas, "arenas");
    requireNonNull(allocations, "allocations");
    requireNonNull(unplanned, "unplanned");
    requireNonNull(aliases, "aliases");
    requireNonNull(copies, "copies");
  }

  /** A plan for feeds as they are declared. */
  public MemoryPlan(
      String programSha256,
      String planner,
      long batch,
      ExecutionOrder order,
      ImmutableList<Arena> arenas,
      ImmutableList<Allocation> allocations,
      ImmutableList<Unplanned> unplanned,
      ImmutableList<Alias> aliases,
      ImmutableList<UnneededCopy> copies) {
    this(
        programSha256,
        planner,
        batch,
        ImmutableList.of(),
        order,
        arenas,
        allocations,
        unplanned,
        aliases,
        copies);
  }

  /** A plan in which every operator runs. */
  public MemoryPlan(
      String programSha256,
      String planner,
      long batch,
      ExecutionOrder order,
      ImmutableList<Arena> arenas,
      ImmutableList<Allocation> allocations,
      ImmutableList<Unplanned> unplanned,
      ImmutableList<Alias> aliases) {
    this(
        programSha256,
        planner,
        batch,
        order,
        arenas,
        allocations,
        unplanned,
        aliases,
        ImmutableList.of());
  }

  /** A plan for the sequential order. */
  public MemoryPlan(
      String programSha256,
      String planner,
      long batch,
      ImmutableList<Arena> arenas,
      ImmutableList<Allocation> allocations,
      ImmutableList<Unplanned> unplanned,
      ImmutableList<Alias> aliases) {
    this(
        programSha256,
        planner,
        batch,
        ExecutionOrder.SEQUENTIAL,
        arenas,
        allocations,
        unplanned,
        aliases);
  }

  /** The same plan with other allocations. */
  public MemoryPlan withAllocations(ImmutableList<Allocation> newAllocations) {
    return new MemoryPlan(
        programSha256,
        planner,
        batch,
        feeds,
        order,
        arenas,
        newAllocations,
        unplanned,
        aliases,
        copies);
  }

  /** The same plan with other arenas. */
  public MemoryPlan withArenas(ImmutableList<Arena> newArenas) {
    return new MemoryPlan(
        programSha256,
        planner,
        batch,
        feeds,
        order,
        newArenas,
        allocations,
        unplanned,
        aliases,
        copies);
  }

  /** The same plan with other shapes and sequences of feeds. */
  public MemoryPlan withFeeds(ImmutableList<Feed> newFeeds) {
    return new MemoryPlan(
        programSha256,
        planner,
        batch,
        newFeeds,
        order,
        arenas,
        allocations,
        unplanned,
        aliases,
        copies);
  }

  /** The allocations, by variable. O(allocations). */
  public ImmutableListMultimap<VariableId, Allocation> allocationsByVariable() {
    ImmutableListMultimap.Builder<VariableId, Allocation> byVariable =
        ImmutableListMultimap.builder();
    for (Allocation allocation : allocations) {
      byVariable.put(allocation.variable(), allocation);
    }
    return byVariable.build();
  }

  /** The bytes of all arenas together, except step arenas. */
  public long arenaBytes() {
    long sum = 0;
    for (Arena arena : arenas) {
      sum += arena.isStep() ? 0 : arena.bytes();
    }
    return sum;
  }

  /** The sum of the lower bounds of all arenas, except step arenas. */
  public long lowerBound() {
    long sum = 0;
    for (Arena arena : arenas) {
      sum += arena.isStep() ? 0 : arena.lowerBound();
    }
    return sum;
  }

  /** The step arenas, which exist once per iteration of a loop. */
  public ImmutableList<Arena> stepArenas() {
    return arenas.stream().filter(Arena::isStep).collect(ImmutableList.toImmutableList());
  }

  /** Whether all arenas, except step arenas, are as small as their lower bounds. */
  public boolean isProvedOptimal() {
    for (Arena arena : arenas) {
      if (!arena.isStep() && !arena.isProvedOptimal()) {
        return false;
      }
    }
    return true;
  }
}
