package dev.sublet.loop;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;

/**
 * The carries of one loop.
 *
 * @param region the loop's region in the control-flow graph
 * @param carries in the order of their copies
 * @param repeat after how many iterations everything that rotates is back where it was: the least
 *     common multiple of the carries' repeats
 */
public record LoopCarriedCopies(int region, ImmutableList<LoopCarriedCopy> carries, int repeat) {

  public LoopCarriedCopies {
    requireNonNull(carries, "carries");
  }

  /** Whether something rotates. */
  public boolean isRotating() {
    return repeat > 1;
  }
}
