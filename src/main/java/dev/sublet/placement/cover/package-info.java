/**
 * Planners that stack buffers on a profile of heights, and the path covers by which they group
 * them.
 *
 * <p>{@link dev.sublet.placement.cover.CoverPlanners} has the planners. Groups of buffers of which
 * no two are live together come from a sweep where every buffer has one interval, else from a
 * minimum path cover. {@link dev.sublet.placement.cover.EdgeCover} counts the paths that cover
 * every edge of a graph, on which what the planner guarantees of a program depends.
 *
 * <p>Source: seed 004 (LeapMind 2021); Hopcroft and Karp; Ntafos and Hakimi.
 */
@NullMarked
package dev.sublet.placement.cover;

import org.jspecify.annotations.NullMarked;
