/**
 * The offset plan as plain records, shared by planners, validators and reports.
 *
 * <p>A {@link dev.sublet.plan.MemoryPlan} says for each live range of each variable at which byte
 * of which arena it is. Program points are those of the design: the node numbered k reads at 2k and
 * writes at 2k+1; nodes are numbered in nesting order, a control operator taking one number for its
 * head, then its body's, then one for its exit. Intervals are half-open.
 *
 * <p>A {@link dev.sublet.plan.BufferTable} is a problem without a program: buffers with times of
 * their own, as planners exchange them in CSV.
 *
 * <p>Invariant: the records check only what each can see by itself; whether a plan is right for a
 * program is the plan validator's work.
 */
@NullMarked
package dev.sublet.plan;

import org.jspecify.annotations.NullMarked;
