package dev.sublet.runtime.micro.ir;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;

/**
 * The blocks that one micro op, or its gradient, became.
 *
 * @param name what it computes, for the reader
 * @param blocks run one after the other
 */
public record MicroFunction(String name, ImmutableList<LoopBlock> blocks) {

  public MicroFunction {
    requireNonNull(name, "name");
    requireNonNull(blocks, "blocks");
  }
}
