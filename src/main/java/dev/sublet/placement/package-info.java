/**
 * Places buffers in one arena, whatever they are buffers of.
 *
 * <p>In go buffers with sizes, alignments, pins and the intervals during which they are live: a
 * {@link dev.sublet.placement.problem.PlanningProblem}; out comes an offset for each and what no
 * placement can go below: a {@link dev.sublet.placement.problem.Placement}. {@link
 * dev.sublet.placement.Planners} knows all planners by name. Each family of them has a package that
 * knows nothing of the others but the greedy one, to which the rest fall back; {@code best}, here,
 * asks them all.
 *
 * <p>Invariant: two buffers that are live at one point never overlap, every offset is aligned, and
 * every pin is kept.
 */
@NullMarked
package dev.sublet.placement;

import org.jspecify.annotations.NullMarked;
