/**
 * The tensor allocation of NNC: a graph whose edges are regions of the arena, into which tensors
 * are inserted.
 *
 * <p>{@link dev.sublet.placement.nnc.NncPlanners} lists both forms of the algorithm, which differ
 * in the order of the tensors. {@code AllocationBuilder} inserts tensors, {@code AllocationGraph}
 * records the bytes that each edge still has, and {@code Compaction} moves the placed buffers down
 * to their lowest offsets.
 *
 * <p>Source: nnc-alloc.rst, in its versions before and after the change from interference to size.
 */
@NullMarked
package dev.sublet.placement.nnc;

import org.jspecify.annotations.NullMarked;
