package dev.sublet.runtime.micro.ir;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;

/**
 * A nest of loops.
 *
 * @param loops outermost first, at least one; a block for a single number has one loop from 0 to 1
 */
public record LoopBlock(ImmutableList<Loop> loops) {

  public LoopBlock {
    checkArgument(!loops.isEmpty(), "a block without loops");
  }
}
