package dev.sublet.runtime.micro.ir;

import com.google.common.collect.ImmutableList;

/**
 * The blocks that one micro op, or its gradient, was lowered to.
 *
 * @param name what the function computes, for human readers
 * @param blocks the blocks, in the order in which they run
 */
public record MicroFunction(String name, ImmutableList<LoopBlock> blocks) {}
