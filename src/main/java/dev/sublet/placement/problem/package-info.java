/**
 * What there is to place, and what a planner is: the vocabulary of all planners.
 *
 * <p>A {@link dev.sublet.placement.problem.PlanningProblem} is immutable, its buffers are dense
 * indices and its intervals compressed rows. A {@link dev.sublet.placement.problem.Planner} makes a
 * {@link dev.sublet.placement.problem.Placement} of it. Beside them is what can be said of a
 * problem without placing it: the {@link dev.sublet.placement.problem.LowerBound}, orders of its
 * buffers, which of them are live together, and how many bytes are.
 */
@NullMarked
package dev.sublet.placement.problem;

import org.jspecify.annotations.NullMarked;
