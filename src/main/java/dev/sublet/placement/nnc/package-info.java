/**
 * The tensor allocation of NNC: a graph of regions into whose edges tensors are inserted.
 *
 * <p>{@link dev.sublet.placement.nnc.NncPlanners} has both forms of the algorithm, which differ in
 * which tensor comes next; {@code AllocationBuilder} inserts, {@code AllocationGraph} knows which
 * bytes an edge still has, and {@code Compaction} drops what was placed to its lowest offset.
 *
 * <p>Source: nnc-alloc.rst, in its versions before and after the change from interference to size.
 */
@NullMarked
package dev.sublet.placement.nnc;

import org.jspecify.annotations.NullMarked;
