/**
 * The placement problem, its solution, and the planner interface: the vocabulary of all planners.
 *
 * <p>A {@link dev.sublet.placement.problem.PlanningProblem} is immutable; its buffers are dense
 * indices and its intervals compressed rows. A {@link dev.sublet.placement.problem.Planner} turns
 * it into a {@link dev.sublet.placement.problem.Placement}. The other types analyze a problem
 * without placing it: a lower bound ({@link dev.sublet.placement.problem.LowerBound}), orders of
 * its buffers, their interference, and the bytes that are live at each point.
 */
@NullMarked
package dev.sublet.placement.problem;

import org.jspecify.annotations.NullMarked;
