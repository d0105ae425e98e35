/**
 * Places buffers in one arena: memory planning as a general problem that knows nothing of programs.
 *
 * <p>The input is a {@link dev.sublet.placement.problem.PlanningProblem}: buffers with sizes,
 * alignments, pins, and the intervals during which they are live. The result is a {@link
 * dev.sublet.placement.problem.Placement}: an offset for each buffer, and a lower bound on the
 * arena of any placement. {@link dev.sublet.placement.Planners} finds every planner by its name.
 * Each family of planners has its own package. These packages do not depend on each other, except
 * that {@code nnc} falls back to a greedy planner and {@code search} begins with one. The planner
 * {@code best}, in this package, runs the others and takes the smallest placement.
 *
 * <p>Invariant: buffers that are live at the same point never overlap, every offset is aligned, and
 * every pin is kept.
 */
@NullMarked
package dev.sublet.placement;

import org.jspecify.annotations.NullMarked;
