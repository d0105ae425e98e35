/**
 * Planners that place buffers one by one and never move them again, as production runtimes do.
 *
 * <p>The planners differ in their order of the buffers and in their choice of a gap. {@code
 * OccupiedBytes} stores the occupied bytes by time, and one sweep over sorted ranges finds the
 * gaps, so that the planners are exact on hundreds of thousands of buffers. {@link
 * dev.sublet.placement.greedy.GreedyPlanners} lists the planners; {@link
 * dev.sublet.placement.greedy.Gaps} is for other packages that place buffers one by one.
 *
 * <p>Source: TFLite, TVM, XLA, IREE; each planner names its own source.
 */
@NullMarked
package dev.sublet.placement.greedy;

import org.jspecify.annotations.NullMarked;
