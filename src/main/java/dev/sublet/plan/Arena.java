package dev.sublet.plan;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/**
 * One stretch of memory that a plan lays buffers out in; or, as a step arena, one stretch for each
 * iteration of a loop whose iterations a gradient operator visits again.
 *
 * @param place the memory that it is in: {@code cpu} or {@code gpu}
 * @param bytes its size
 * @param lowerBound bytes that no plan for the same buffers can go below
 * @param alignment every offset is a multiple of this
 * @param pool which of several memories of the place it is in, if there are several
 * @param traffic how many bytes operators are estimated to read and write in it; 0 without a pool
 * @param stepOfBlock the body block of the loop of which every iteration has such an arena, from
 *     its begin until its gradient is done; 0 for an arena that there is once
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

  /** An arena that there is once. */
  public Arena(
      String place,
      long bytes,
      long lowerBound,
      long alignment,
      Optional<Pool> pool,
      long traffic) {
    this(place, bytes, lowerBound, alignment, pool, traffic, /* stepOfBlock= */ 0);
  }

  /** An arena in the only memory of its place. */
  public Arena(String place, long bytes, long lowerBound, long alignment) {
    this(place, bytes, lowerBound, alignment, Optional.empty(), /* traffic= */ 0);
  }

  /** The same arena with another lower bound. */
  public Arena withLowerBound(long newLowerBound) {
    return new Arena(place, bytes, newLowerBound, alignment, pool, traffic, stepOfBlock);
  }

  /** The same arena for each iteration of the loop with a body block. */
  public Arena forStepsOf(int block) {
    return new Arena(place, bytes, lowerBound, alignment, pool, traffic, block);
  }

  /** Whether every iteration of a loop has one. */
  public boolean isStep() {
    return stepOfBlock != 0;
  }

  /** The most bytes that it may have. */
  public long capacity() {
    return pool.map(Pool::capacity).orElse(Pool.UNLIMITED);
  }

  /** Whether the arena is as small as any can be for these buffers. */
  public boolean isProvedOptimal() {
    return bytes == lowerBound;
  }
}
