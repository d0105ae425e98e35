package dev.sublet.loop;

import com.google.common.collect.ImmutableList;

/**
 * The loop-carried copies of one loop.
 *
 * @param region the loop's region in the control-flow graph
 * @param carries the copies, in program order
 * @param repeat the number of iterations after which every rotating value is back in its slot: the
 *     least common multiple of the copies' repeats
 */
public record LoopCarriedCopies(int region, ImmutableList<LoopCarriedCopy> carries, int repeat) {

  /** Whether any value rotates. */
  public boolean isRotating() {
    return repeat > 1;
  }
}
