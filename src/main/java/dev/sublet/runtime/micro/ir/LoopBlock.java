package dev.sublet.runtime.micro.ir;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;

/**
 * A nest of loops.
 *
 * @param loops the loops, outermost first; at least one. A block that computes a scalar has one
 *     loop from 0 to 1
 */
public record LoopBlock(ImmutableList<Loop> loops) {

  /** Throws {@link IllegalArgumentException} if there is no loop. */
  public LoopBlock {
    checkArgument(!loops.isEmpty(), "a block without loops");
  }
}
