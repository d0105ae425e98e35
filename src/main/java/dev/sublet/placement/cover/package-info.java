/**
 * Planners that stack buffers on a profile of heights, and the path covers that group the buffers.
 *
 * <p>{@link dev.sublet.placement.cover.CoverPlanners} lists the planners. A group contains buffers
 * of which no two are live together. If every buffer has one interval, a sweep finds the groups;
 * otherwise a minimum path cover is tried too. {@link dev.sublet.placement.cover.EdgeCover} counts
 * the paths that cover every edge of a graph; the planner's guarantee for a program depends on this
 * number.
 *
 * <p>Source: seed 004 (LeapMind 2021); Hopcroft and Karp; Ntafos and Hakimi.
 */
@NullMarked
package dev.sublet.placement.cover;

import org.jspecify.annotations.NullMarked;
