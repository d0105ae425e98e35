package dev.sublet.plan;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import java.util.Optional;

/**
 * A contiguous block of memory that a plan divides up. A <i>step arena</i> exists once per
 * iteration of a loop whose iterations a gradient operator visits again.
 *
 * @param place the memory space of the arena: {@code cpu} or {@code gpu}
 * @param bytes the size
 * @param lowerBound a number of bytes that no plan for the same buffers goes below
 * @param alignment the alignment: every offset is a multiple of it
 * @param pool the pool of the arena, if its memory space is divided into pools
 * @param traffic the estimated bytes that operators read and write in the arena; 0 without a pool
 * @param stepOfBlock for a step arena, the body block of the loop; 0 for any other arena. A step
 *     arena exists from the start of its iteration until the gradient of the iteration is done
 */
public record Arena(
    String place,
    long bytes,
    long lowerBound,
    long alignment,
    Optional<Pool> pool,
    long traffic,
    int stepOfBlock) {

  public Arena {
    requireNonNull(place, "place");
    requireNonNull(pool, "pool");
  }

  /** An arena that is not a step arena. */
  public Arena(
      String place,
      long bytes,
      long lowerBound,
      long alignment,
      Optional<Pool> pool,
      long traffic) {
    this(place, bytes, lowerBound, alignment, pool, traffic, /* stepOfBlock= */ 0);
  }

  /** An arena in a memory space without pools, and not a step arena. */
  public Arena(String place, long bytes, long lowerBound, long alignment) {
    this(place, bytes, lowerBound, alignment, Optional.empty(), /* traffic= */ 0);
  }

  /** The same arena with another lower bound. */
  public Arena withLowerBound(long newLowerBound) {
    return new Arena(place, bytes, newLowerBound, alignment, pool, traffic, stepOfBlock);
  }

  /** The same arena as a step arena of the loop with a body block. */
  public Arena forStepsOf(int block) {
    return new Arena(place, bytes, lowerBound, alignment, pool, traffic, block);
  }

  /** Whether this is a step arena, which exists once per iteration of a loop. */
  public boolean isStep() {
    return stepOfBlock != 0;
  }

  /** The maximum size of the arena; {@link Pool#UNLIMITED} without a pool. */
  public long capacity() {
    return pool.map(Pool::capacity).orElse(Pool.UNLIMITED);
  }

  /** Whether the arena is as small as its lower bound. */
  public boolean isProvedOptimal() {
    return bytes == lowerBound;
  }

  /**
   * Compares the arenas of two plans for the same memories. Better, and so less, is the plan that
   * exceeds capacities by less; then the one whose first arena serves more traffic, then whose
   * second one does, and so on; then the one with fewer bytes, without step arenas. O(arenas).
   */
  public static int compare(ImmutableList<Arena> some, ImmutableList<Arena> others) {
    int order = Long.compare(excess(some), excess(others));
    for (int i = 0; i < Math.min(some.size(), others.size()) && order == 0; i++) {
      order = Long.compare(others.get(i).traffic(), some.get(i).traffic());
    }
    return order != 0 ? order : Long.compare(bytes(some), bytes(others));
  }

  private static long excess(ImmutableList<Arena> arenas) {
    return arenas.stream().mapToLong(arena -> Math.max(0, arena.bytes() - arena.capacity())).sum();
  }

  private static long bytes(ImmutableList<Arena> arenas) {
    return arenas.stream().filter(arena -> !arena.isStep()).mapToLong(Arena::bytes).sum();
  }
}
