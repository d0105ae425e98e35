/**
 * Orders of operators that need little memory.
 *
 * <p>In goes an {@link dev.sublet.schedule.OperatorGraph}: operators, the tensors that each reads
 * and writes, and their bytes. Out comes an {@link dev.sublet.schedule.ScheduledOrder}: a
 * topological order whose greatest sum of live bytes is at most that of the given order.
 *
 * <p>Invariant: no operator comes before an operator that writes one of its inputs.
 *
 * <p>The peak of live bytes is a lower bound of an arena, and not the arena itself: the caller
 * plans both orders and takes the better one.
 *
 * <p>Source: dynamic programming over sets of executed operators, as by Ahn et al., "Ordering
 * Chaos: Memory-Aware Scheduling of Irregularly Wired Neural Networks for Edge Devices", MLSys
 * 2020. The split at operators that are comparable with all others, and the operators that are
 * taken at once, are exact.
 */
@NullMarked
package dev.sublet.schedule;

import org.jspecify.annotations.NullMarked;
