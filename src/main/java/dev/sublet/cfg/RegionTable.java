package dev.sublet.cfg;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;

/**
 * The regions of a program, and the region of every block and node.
 *
 * @param regions the regions; a region comes before those inside it
 * @param ofBlock by block: the region whose body the block is, or -1
 * @param ofNode by node: the innermost region whose body contains the node
 * @param atHead by node: the region whose head or exit the node is, or -1
 */
record RegionTable(
    ImmutableList<Region> regions,
    ImmutableIntArray ofBlock,
    ImmutableIntArray ofNode,
    ImmutableIntArray atHead) {}
