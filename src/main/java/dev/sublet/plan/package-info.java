/**
 * The offset plan as plain records, shared by planners, validators and reports.
 *
 * <p>A {@link dev.sublet.plan.MemoryPlan} gives an arena and an offset to each web of each
 * variable. Time is counted in program points: node k reads at point 2k and writes at point 2k + 1.
 * Nodes are numbered in nesting order; a control operator has one number for its head, then come
 * the numbers of its body, then one number for its exit. Intervals are half-open.
 *
 * <p>A {@link dev.sublet.plan.BufferTable} is a problem without a program: buffers with their own
 * times, as planners exchange them in CSV.
 *
 * <p>Invariant: each record checks only the consistency of its own components. The plan validator
 * checks whether a plan is right for a program.
 */
@NullMarked
package dev.sublet.plan;

import org.jspecify.annotations.NullMarked;
